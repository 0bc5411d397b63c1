// Loads a list page from the server; the contract's schema parses the URL parameters.
import type { EndpointSpec, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import type { TObject } from "typebox";
import type { CallInput } from "../../kit/api.ts";
import { useCall } from "../../kit/query.ts";
import { type TakeSnapshot, takeSnapshot } from "./list-snapshot.ts";
import { type ListState, useListState } from "./list-state.ts";

export type ListSpec = EndpointSpec & { query: TObject };
export type RowOf<Spec extends EndpointSpec> = Reply<Spec> extends Page<infer Row> ? Row : never;

/** Query parameters that are not in the URL: `{ side: "SINGLE" }`. */
export type FixedQuery = Readonly<Record<string, string | number | boolean>>;

export interface List<Row> {
  state: ListState;
  /** Undefined until the first page has loaded. */
  page: Page<Row> | undefined;
  /** Set when loading failed and there is no page to show. */
  failure: Error | null;
  /** Set while the displayed page is stale because a refresh failed. */
  staleSince: number | null;
  /** A page is displayed while another one is loading. */
  isRefreshing: boolean;
  refresh: () => Promise<unknown>;
  /** Takes a snapshot of all rows with the present filters, for the export. */
  takeSnapshot: TakeSnapshot;
}

export function useList<Spec extends ListSpec>(spec: Spec, fixed?: FixedQuery): List<RowOf<Spec>> {
  const state = useListState();
  const query = { ...queryFromText(spec.query, state.texts), ...fixed };
  const inputFor = (page: number, pageSize: number) =>
    ({ query: { ...query, page, pageSize } }) as CallInput<Spec>;
  const answer = useCall(spec as EndpointSpec, inputFor(state.page, state.pageSize), {
    keepPreviousData: true,
    toasts: true,
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
