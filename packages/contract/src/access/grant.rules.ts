// Who may grant what, and look after whom: nobody hands on, or takes over, more than they have.
import type { UserType } from "../auth/auth.contract.ts";

/** How far an account reaches: what it may do, and at which stores. */
export interface Reach {
  tenantId: number;
  userType: UserType;
  permissions: ReadonlySet<string>;
  /** Ids of stores; null is every store of the tenant. */
  stores: ReadonlySet<number> | null;
}

/** What a role, or an account by its roles, is to have. */
export type Grant = Pick<Reach, "permissions" | "stores">;

const isPlatform = (reach: Reach) => reach.userType === 0 && reach.tenantId === 1;

const isWithin = <T>(part: ReadonlySet<T>, whole: ReadonlySet<T>) =>
  [...part].every((item) => whole.has(item));

/** Whether all of these permissions are the granter's own. */
export function canGrantPermissions(granter: Reach, permissions: Iterable<string>): boolean {
  return isPlatform(granter) || isWithin(new Set(permissions), granter.permissions);
}

/** Whether these stores (null: every one) are among those that the granter sees. */
export function canGrantStores(granter: Reach, stores: Grant["stores"]): boolean {
  if (isPlatform(granter) || granter.stores === null) return true;
  return stores !== null && isWithin(stores, granter.stores);
}

/** Nobody grants, by a role, a binding or an account, what they do not have themselves. */
export function canGrant(granter: Reach, grant: Grant): boolean {
  return canGrantPermissions(granter, grant.permissions) && canGrantStores(granter, grant.stores);
}

/** Nobody edits, disables, resets or deletes an account of a higher kind, or that may do more. */
export function mayManage(manager: Reach, account: Reach): boolean {
  if (isPlatform(manager)) return true;
  if (manager.tenantId !== account.tenantId) return false;
  return account.userType >= manager.userType && canGrant(manager, account);
}
