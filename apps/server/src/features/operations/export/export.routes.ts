// Routes of exports.
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { mount, type Route } from "../../../platform/http/mount.ts";
import type { Catalog } from "./export.catalog.ts";
import { endExport, fetchExportPage, startExport } from "./export.service.ts";

export function exportRoutes(catalog: Catalog): Route[] {
  return mount(exportContract, {
    start: (ctx, { body }) => startExport(ctx, catalog, body),
    page: (ctx, input) => fetchExportPage(ctx, catalog, input),
    end: (ctx, { params }) => endExport(ctx, catalog, params.id),
  });
}
