// Rules of roles that server and console share.

/** Stores at which the members of a role work. */
export const STORE_SCOPES = ["ALL", "OWN", "LISTED"] as const;
export type StoreScope = (typeof STORE_SCOPES)[number];

export const storeScopeText: Record<StoreScope, string> = {
  ALL: "全部门店",
  OWN: "本人负责的门店",
  LISTED: "指定门店",
};

/** Effective scope for a kind of account: maintenance staff never get ALL. */
export function scopeFor(userType: number, scope: StoreScope): StoreScope {
  return userType === 2 && scope === "ALL" ? "OWN" : scope;
}

/** Role whose scope ignores the account's own stores; null when there is none. */
export function roleIgnoringStores<Role extends { storeScope: StoreScope }>(
  userType: number,
  roles: readonly Role[],
  storeIds: readonly number[],
): Role | null {
  if (storeIds.length === 0) return null;
  return roles.find(({ storeScope }) => scopeFor(userType, storeScope) === "ALL") ?? null;
}

/** Problem of a role's stores, in Chinese; null when there is none. */
export function storeScopeProblem(scope: StoreScope, stores: readonly unknown[]): string | null {
  return scope === "LISTED" && stores.length === 0 ? "请至少选择一家门店" : null;
}
