// The filters above a page of figures: days, tenant, store.
import { statisticsContract } from "@cabinet/contract/statistics/statistics.contract.ts";
import { type DaySpan, spanOf } from "@cabinet/contract/statistics/statistics.rules.ts";
import { storeContract } from "@cabinet/contract/store/store.contract.ts";
import { useCall } from "../../kit/query.ts";
import { dayRangeFilter } from "../../ui/day-range-filter.tsx";
import { choiceFilter, type Filter } from "../../ui/filters.tsx";
import type { Texts } from "../../ui/list-state.ts";
import { useTenantFilter } from "../../ui/tenant-filter.ts";

const OPTIONS_STALE_MS = 60_000;

/** The days that are meant, no more than `most`, and the filters. */
export function useFigureFilters(texts: Texts, most: number): { span: DaySpan; filters: Filter[] } {
  const now = Date.now();
  const usual = spanOf({}, now) as DaySpan;
  const span = spanOf({ from: texts.from || undefined, to: texts.to || undefined }, now) ?? usual;
  const tenantFilter = useTenantFilter(statisticsContract.ranking);
  const tenantId = Number(texts.tenantId) || undefined;
  const stores = useCall(
    storeContract.options,
    { query: tenantId ? { tenantId } : {} },
    { staleTime: OPTIONS_STALE_MS, isQuiet: true },
  );
  const filters = [
    dayRangeFilter({ label: "日期", usual, most }),
    ...(tenantFilter ? [tenantFilter] : []),
    choiceFilter(
      "storeId",
      "门店",
      stores.data?.map(({ id, name }) => ({ value: id, label: name })),
    ),
  ];
  return { span, filters };
}
