// Rules for granting permissions and managing accounts: never beyond the actor's own scope.
import type { UserType } from "../../vocabulary/account.ts";

/** Scope of an account: its permissions and its stores. */
export interface GrantScope {
  tenantId: number;
  userType: UserType;
  permissions: ReadonlySet<string>;
  /** Ids of stores; null is every store of the tenant. */
  stores: ReadonlySet<number> | null;
}

/** Permissions and stores given to a role, or to an account by its roles. */
export type Grant = Pick<GrantScope, "permissions" | "stores">;

const isPlatform = (scope: GrantScope) => scope.userType === 0 && scope.tenantId === 1;

const isWithin = <T>(part: ReadonlySet<T>, whole: ReadonlySet<T>) =>
  [...part].every((item) => whole.has(item));

/** True if the granter has all of these permissions. */
export function canGrantPermissions(granter: GrantScope, permissions: Iterable<string>): boolean {
  return isPlatform(granter) || isWithin(new Set(permissions), granter.permissions);
}

/** True if the granter sees all of these stores (null: every store). */
export function canGrantStores(granter: GrantScope, stores: Grant["stores"]): boolean {
  if (isPlatform(granter) || granter.stores === null) return true;
  return stores !== null && isWithin(stores, granter.stores);
}

/** Limits every grant by role, membership or account to what the granter has. */
export function canGrant(granter: GrantScope, grant: Grant): boolean {
  return canGrantPermissions(granter, grant.permissions) && canGrantStores(granter, grant.stores);
}

/**
 * Editing, disabling, resetting or deleting requires an account of no higher kind and no larger
 * scope.
 */
export function mayManage(manager: GrantScope, account: GrantScope): boolean {
  if (isPlatform(manager)) return true;
  if (manager.tenantId !== account.tenantId) return false;
  return account.userType >= manager.userType && canGrant(manager, account);
}
