// Permission scope of accounts: nobody grants, or manages an account, beyond their own scope.
import { type GrantScope, mayManage } from "@cabinet/contract/identity/access/grant.rules.ts";
import { type AccountKey, type Ctx, isPlatformStaff } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import {
  type AccountScope,
  findAccountScope,
  findAccountScopes,
  findVisibleStoreIds,
} from "./role-member.sql.ts";

export const asGrantScope = ({
  tenantId,
  userType,
  permissions,
  stores,
}: AccountScope): GrantScope => ({
  tenantId,
  userType,
  permissions: new Set(permissions),
  stores: stores && new Set(stores),
});

/** The scope of the session's account. */
export async function grantScopeOf({
  db,
  session,
}: Pick<Ctx, "db" | "session">): Promise<GrantScope> {
  const { tenantId, userType, permissions, isStoreBound } = session;
  const stores = isStoreBound ? new Set(await findVisibleStoreIds(db, session)) : null;
  return { tenantId, userType, permissions, stores };
}

/** Refuses to manage an account with permissions or stores beyond those of the session. */
export async function requireManageable(ctx: Ctx, account: AccountKey): Promise<void> {
  if (isPlatformStaff(ctx.session)) return;
  const found = await findAccountScope(ctx.db, account);
  if (!found) refuse("NOT_FOUND", { what: "账号" });
  if (!mayManage(await grantScopeOf(ctx), asGrantScope(found))) {
    refuse("ACCOUNT_ABOVE", { name: found.displayName });
  }
}

/** The ids of those accounts that the session may manage. */
export async function findManageable(
  ctx: Ctx,
  accounts: readonly AccountKey[],
): Promise<ReadonlySet<number>> {
  if (isPlatformStaff(ctx.session)) return new Set(accounts.map(({ operatorId }) => operatorId));
  const scope = await grantScopeOf(ctx);
  const found = await findAccountScopes(ctx.db, accounts);
  const own = found.filter((account) => mayManage(scope, asGrantScope(account)));
  return new Set(own.map(({ operatorId }) => operatorId));
}

/**
 * Refuses a change by which the session's account loses `role:write`: nobody might be left to
 * restore it.
 */
export async function requireOwnRoleManagement({ db, session }: Ctx): Promise<void> {
  if (!session.permissions.has("role:write")) return;
  const now = await findAccountScope(db, session);
  if (now && !now.permissions.includes("role:write")) refuse("OWN_ROLE_MANAGEMENT");
}

/** Makes the consoles of the tenant (null: of all tenants) reload their permissions at once. */
export function publishAccessChange(db: Db, tenantId: number | null): Promise<void> {
  return pushLive(db, { tenantId, topic: "access", cabinetId: null });
}
