// Resolves the tenant of a request.
import type { TenantOption } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import { type Ctx, isPlatformStaff } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { findTenant } from "./tenant.sql.ts";

/** The own tenant, or for platform staff any; others are answered NOT_FOUND, like missing ones. */
export async function requireTenant(ctx: Ctx, asked?: number): Promise<TenantOption> {
  const { session } = ctx;
  const id = asked ?? session.tenantId;
  const tenant =
    id === session.tenantId || isPlatformStaff(session) ? await findTenant(ctx.db, id) : null;
  return tenant ?? refuse("NOT_FOUND", { what: "租户" });
}
