// Income calls of the company or of one side: the specification has separate calls for each side.
import {
  type DayFigures,
  type IncomeStatistics,
  type Period,
  statisticsContract,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import type { SideChoice } from "../../../domain/cabinet/page-side.ts";
import { invalidate, useCall } from "../../../kit/query.ts";

const { singleIncome, singleTendency, doubleIncome, doubleTendency } = statisticsContract;
const income = {
  ALL: statisticsContract.income,
  SINGLE: singleIncome,
  DOUBLE: doubleIncome,
} as const;
const tendency = {
  ALL: statisticsContract.tendency,
  SINGLE: singleTendency,
  DOUBLE: doubleTendency,
} as const;

/** Refetched after each order; keeping the previous data (few rows) avoids flicker. */
const options = { keepPreviousData: true };

interface Answer<Data> {
  data: Data | undefined;
  error: Error | null;
  isFetching: boolean;
  /** The data are of other filters. */
  isPlaceholderData: boolean;
  dataUpdatedAt: number;
  refetch: () => Promise<unknown>;
}

export function useIncome(side: SideChoice, period: Period): Answer<IncomeStatistics> {
  return useCall(income[side] as typeof singleIncome, { query: period }, options);
}

export function useTendency(side: SideChoice, period: Period): Answer<DayFigures[]> {
  const spec = tendency[side] as typeof singleTendency;
  return useCall(spec, { body: period }, options);
}

export function refreshIncome(): Promise<void> {
  return invalidate(
    ...Object.values(income),
    ...Object.values(tendency),
    statisticsContract.ranking,
  );
}
