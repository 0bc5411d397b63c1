// Filters of the statistics pages: days, tenant, store.
import { statisticsContract } from "@cabinet/contract/statistics/statistics.contract.ts";
import { type DaySpan, spanOf } from "@cabinet/contract/statistics/statistics.rules.ts";
import { dayRangeFilter } from "../../ui/day-range-filter.tsx";
import type { Filter } from "../../ui/filters.tsx";
import type { SearchValues } from "../../ui/list-state.ts";
import { storeFilter } from "../../ui/tenant-choice-filter.tsx";
import { useTenantFilter } from "../../ui/tenant-filter.ts";

/** The selected period, and the filters, which offer at most `most` days. */
export function useFigureFilters(
  texts: SearchValues,
  most: number,
): { span: DaySpan; filters: Filter[] } {
  const now = Date.now();
  const usual = spanOf({}, now) as DaySpan;
  const span = spanOf({ from: texts.from || undefined, to: texts.to || undefined }, now) ?? usual;
  const tenantFilter = useTenantFilter(statisticsContract.ranking);
  const filters = [
    dayRangeFilter({ label: "日期", usual, most }),
    ...(tenantFilter ? [tenantFilter] : []),
    storeFilter(),
  ];
  return { span, filters };
}
