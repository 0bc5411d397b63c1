// Filters of the statistics pages: days, tenant, store.
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { type DaySpan, spanOf } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { dayRangeFilter } from "../../../domain/day-range-filter.tsx";
import { storeFilter } from "../../../domain/tenant/tenant-choice-filter.tsx";
import { useTenantFilter } from "../../../domain/tenant/tenant-filter.ts";
import type { SearchValues } from "../../../ui/list/list-state.ts";

/** The selected period, and the filters, which offer at most `most` days. */
export function useFigureFilters(texts: SearchValues, most: number) {
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
