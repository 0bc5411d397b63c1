// Terms of malfunctions: reads them, and changes them for future malfunctions.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  defaultSla,
  slaProblem,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { invalid, refuseOutdated } from "../../../platform/errors.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { findSla, saveSla } from "./sla.sql.ts";

type Contract = typeof malfunctionContract;

export async function getSla(ctx: Ctx, asked?: number): Promise<Reply<Contract["sla"]>> {
  const tenant = await requireTenant(ctx, asked);
  return (await findSla(ctx.db, tenant.id)) ?? { terms: defaultSla, editVersion: 0, editedBy: "" };
}

/** Existing malfunctions keep their terms. */
export async function changeSla(
  ctx: Ctx,
  { terms, editVersion, tenantId }: Input<Contract["saveSla"]>["body"],
): Promise<null> {
  requireAllStores(ctx, "故障处理时限");
  const tenant = await requireTenant(ctx, tenantId);
  const problem = slaProblem(terms);
  if (problem) invalid(problem);
  const before = await findSla(ctx.db, tenant.id);
  const editedBy = ctx.session.signature;
  if (!(await saveSla(ctx.db, { tenantId: tenant.id, terms, editVersion, editedBy }))) {
    refuseOutdated(before?.editedBy);
  }
  ctx.audit({
    tenantId: tenant.id,
    target: `故障处理时限 ${tenant.name}`,
    before: before?.terms ?? defaultSla,
    after: terms,
  });
  return null;
}
