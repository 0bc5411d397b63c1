// Starts, fetches and ends exports: checks which lists may be exported, by whom, and how many at once.

import type { EndpointSpec, Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { EXPORT_MAX_ROWS } from "@cabinet/contract/kit/export.rules.ts";
import { maskPhone, normalizePhone, phoneSearchOf } from "@cabinet/contract/kit/phone.rules.ts";
import { phoneSearchFieldsOf } from "@cabinet/contract/kit/phone-search.rules.ts";
import type { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import type { ErrorObject } from "ajv";
import type { Ctx } from "../../../platform/context.ts";
import { notify } from "../../../platform/db/notify.ts";
import { invalid, refuse } from "../../../platform/errors.ts";
import { requireAccess } from "../../../platform/http/http-access.ts";
import { compileSchema, explainValidation } from "../../../platform/http/validation.ts";
import { admitPhoneSearch } from "../../organization/tenant-setting/index.ts";
import type { Catalog } from "./export.catalog.ts";
import { MAX_OF_ACCOUNT, MAX_WAITING, refusalOfFailure } from "./export.rules.ts";
import * as repo from "./export.sql.ts";

type StartInput = Input<typeof exportContract.start>["body"];

export async function startExport(ctx: Ctx, catalog: Catalog, { call, query }: StartInput) {
  const { db, session } = ctx;
  const { spec } = catalog.find(call);
  requireAccess(session, spec);
  const asked: Record<string, unknown> = { ...query };
  const check = compileSchema(spec.query ?? {}, true);
  if (!check(asked)) {
    invalid(explainValidation(check.errors?.[0] as ErrorObject));
  }
  await admitPhoneSearch(ctx, spec, asked);
  const ofTenant = await repo.countTenantExports(db, session);
  const count = await repo.countActiveExports(db, session);
  if (count >= MAX_OF_ACCOUNT) refuse("EXPORT_LIMIT", { count });
  if (ofTenant.max !== null && ofTenant.count >= ofTenant.max) {
    refuse("TENANT_EXPORTS_USED_UP", { count: ofTenant.count });
  }
  const isFull = (await repo.countWaitingExports(db)) >= MAX_WAITING;
  if (isFull && ofTenant.count > 0) refuse("EXPORT_BUSY");
  const { id } = await repo.insertExport(db, session, { call, query: asked });
  await notify(db, "export", null);
  ctx.audit({ target: spec.summary, after: { id, query: withoutParts(spec, query) } });
  return { id };
}

/**
 * The audit log has no more digits of a phone than a mask shows, in whatever form it was typed: the gate's own entry has
 * their number.
 */
function withoutParts(spec: EndpointSpec, query: object): object {
  const parts = phoneSearchFieldsOf(spec).flatMap(({ name, form }) => {
    const digits = normalizePhone(String((query as Record<string, unknown>)[name] ?? ""));
    const meaning = phoneSearchOf(digits);
    if (meaning === "WHOLE") return [[name, maskPhone(digits)]];
    return form === "PART" && meaning === "PART" ? [[name, `${digits.length} 位`]] : [];
  });
  return { ...query, ...Object.fromEntries(parts) };
}

type PageInput = Input<typeof exportContract.page>;

export async function fetchExportPage(
  { db, session }: Ctx,
  catalog: Catalog,
  { params: { id }, query: { page, pageSize } }: PageInput,
): Promise<Reply<typeof exportContract.page>> {
  const found = await repo.findExport(db, session, id);
  if (!found) refuse("EXPORT_GONE");
  requireAccess(session, catalog.find(found.call).spec);
  if (!found.isSameReach) refuse("EXPORT_GONE");
  const { state, failure, ahead, total, rowCount } = found;
  if (state === "FAILED") {
    refuse(refusalOfFailure[failure ?? "FAILED"], { max: EXPORT_MAX_ROWS });
  }
  const from = (page - 1) * pageSize;
  const to = state === "READY" ? Math.min(from + pageSize, rowCount) : from + pageSize;
  const isWhole = to <= rowCount && from < to;
  const list = isWhole ? await repo.findExportRows(db, session, { id, from, to }) : [];
  return { state, ahead, total, rowCount, list };
}

/** Deletes the export in any state: its rows are removed and reading stops. */
export async function endExport(ctx: Ctx, catalog: Catalog, id: string): Promise<null> {
  const ended = await repo.deleteExport(ctx.db, ctx.session, id);
  if (!ended) refuse("EXPORT_GONE");
  const { call, total, rowCount } = ended;
  ctx.audit({ target: catalog.find(call).spec.summary, after: { id, total, rowCount } });
  return null;
}
