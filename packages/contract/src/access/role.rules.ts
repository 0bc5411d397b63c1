// Words and checks about roles that server and console share.

/** At which stores the members of a role work. */
export const STORE_SCOPES = ["ALL", "OWN", "LISTED"] as const;
export type StoreScope = (typeof STORE_SCOPES)[number];

export const storeScopeText: Record<StoreScope, string> = {
  ALL: "全部门店",
  OWN: "本人负责的门店",
  LISTED: "指定门店",
};

/** What is wrong with the stores of a role, in words; null when nothing is. */
export function storeScopeProblem(scope: StoreScope, stores: readonly unknown[]): string | null {
  return scope === "LISTED" && stores.length === 0 ? "请至少选择一家门店" : null;
}
