// A list's page from the server: the URL says which, the contract says what the URL means.
import type { EndpointSpec, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import type { TObject } from "typebox";
import type { CallInput } from "../kit/api.ts";
import { useCall } from "../kit/query.ts";
import { type TakeSnapshot, takeSnapshot } from "./list-snapshot.ts";
import { type ListState, useListState } from "./list-state.ts";

export type ListSpec = EndpointSpec & { query: TObject };
export type RowOf<Spec extends EndpointSpec> = Reply<Spec> extends Page<infer Row> ? Row : never;

/** Parts of the query that the URL does not hold: `{ side: "SINGLE" }`. */
export type FixedQuery = Readonly<Record<string, string | number | boolean>>;

export interface List<Row> {
  state: ListState;
  /** Undefined until the first page is there. */
  page: Page<Row> | undefined;
  /** Set while there is nothing to show but a failure. */
  failure: Error | null;
  /** Set while what is on screen is older than it should be, because asking again failed. */
  staleSince: number | null;
  /** A page is on screen while another one is on its way. */
  isRefreshing: boolean;
  refresh: () => Promise<unknown>;
  /** All its rows with the present filters, for the export. */
  takeSnapshot: TakeSnapshot;
}

export function useList<Spec extends ListSpec>(spec: Spec, fixed?: FixedQuery): List<RowOf<Spec>> {
  const state = useListState();
  const query = { ...queryFromText(spec.query, state.texts), ...fixed };
  const inputFor = (page: number, pageSize: number) =>
    ({ query: { ...query, page, pageSize } }) as CallInput<Spec>;
  const answer = useCall(spec as EndpointSpec, inputFor(state.page, state.pageSize), {
    keepPreviousData: true,
  });
  return {
    state,
    page: answer.data as Page<RowOf<Spec>> | undefined,
    failure: answer.data === undefined ? answer.error : null,
    staleSince: answer.error && answer.data !== undefined ? answer.dataUpdatedAt : null,
    isRefreshing: answer.isFetching && answer.data !== undefined,
    refresh: () => answer.refetch(),
    takeSnapshot: (options) => takeSnapshot(spec, query, options),
  };
}
