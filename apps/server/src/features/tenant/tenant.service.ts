// Whose tenant a call means.
import type { TenantOption } from "@cabinet/contract/tenant/tenant.contract.ts";
import { type Ctx, isPlatformStaff } from "../../platform/context.ts";
import { refuse } from "../../platform/errors.ts";
import { findTenant } from "./tenant.sql.ts";

/** The own one, or for platform staff any; another is answered as one that does not exist. */
export async function requireTenant(ctx: Ctx, asked?: number): Promise<TenantOption> {
  const { session } = ctx;
  const id = asked ?? session.tenantId;
  const tenant =
    id === session.tenantId || isPlatformStaff(session) ? await findTenant(ctx.db, id) : null;
  return tenant ?? refuse("NOT_FOUND", { what: "租户" });
}
