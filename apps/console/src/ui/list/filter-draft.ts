// Draft of the filters, before 查询 applies them.
import type { Filter } from "./filters.tsx";
import type { SearchValues } from "./list-state.ts";

type DraftFilter = Pick<Filter, "names" | "isOfTenant">;

/** Merges a change into the draft; another tenant clears the ids of the former tenant's records. */
export function changedDraft(
  filters: readonly DraftFilter[],
  draft: SearchValues,
  changes: SearchValues,
): SearchValues {
  const after = { ...draft, ...changes };
  if ((after.tenantId ?? "") === (draft.tenantId ?? "")) return after;
  const names = filters.filter(({ isOfTenant }) => isOfTenant).flatMap((filter) => filter.names);
  // Only ids are cleared: words such as `mine` are valid for every tenant.
  const stale = names.filter((name) => !(name in changes) && /^\d+$/.test(after[name] ?? ""));
  return { ...after, ...Object.fromEntries(stale.map((name) => [name, ""])) };
}
