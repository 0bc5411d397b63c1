// HTTP handlers for the service of cabinets.
import { cabinetServiceContract } from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { mount } from "../../../platform/http/mount.ts";
import { renewServices, resumeServices, stopServices } from "./cabinet-service.service.ts";
import { findRecords, findServices } from "./cabinet-service.sql.ts";

export const cabinetServiceRoutes = mount(cabinetServiceContract, {
  list: (ctx, { query }) => findServices(ctx.db, ctx.session, query),
  renew: (ctx, { body }) => renewServices(ctx, body),
  stop: (ctx, { body }) => stopServices(ctx, body.cabinetIds, body.reason),
  resume: (ctx, { body }) => resumeServices(ctx, body.cabinetIds, body.reason),
  records: (ctx, { query }) => {
    requireSpan(query);
    return findRecords(ctx.db, ctx.session, query);
  },
});
