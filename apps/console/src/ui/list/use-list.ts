// Loads a list page from the server; the contract's schema parses the URL parameters.
import type { EndpointSpec, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page, PageRequest } from "@cabinet/contract/kit/pagination.ts";
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import type { Static, TObject } from "typebox";
import type { CallInput } from "../../kit/api.ts";
import { prefetchCall, useCall } from "../../kit/query.ts";
import type { Column } from "./columns.ts";
import { type TakeSnapshot, takeSnapshot } from "./list-snapshot.ts";
import {
  type ListState,
  pagingOf,
  type SearchValues,
  textsOf,
  useListState,
} from "./list-state.ts";

export type ListSpec = EndpointSpec & { query: TObject };
export type RowOf<Spec extends EndpointSpec> = Reply<Spec> extends Page<infer Row> ? Row : never;
type Query<Spec extends ListSpec> = Static<Spec["query"]>;

type NamesIn<Each> = Each extends unknown ? keyof Each & string : never;

/** Names of the query parameters that filter the list; of either call for a union of two. */
export type FilterName<Spec extends ListSpec> = Exclude<
  NamesIn<Query<Spec>>,
  keyof PageRequest | "sort" | "order"
>;

/** Values of the query parameter `sort`. */
export type SortKey<Spec extends ListSpec> =
  Query<Spec> extends { sort?: infer Key extends string } ? Key : never;

/** Column of the list that the call returns. */
export type ColumnOf<Spec extends ListSpec> = Column<RowOf<Spec>, SortKey<Spec>>;

/** Query parameters that are not in the URL: `{ side: "SINGLE" }`. */
export type FixedQuery<Spec extends ListSpec> = Readonly<Partial<Query<Spec>>>;

export interface List<Row> {
  state: ListState;
  /** Query parameters of the request, without its page. */
  query: Readonly<Record<string, unknown>>;
  /** Undefined until the first page has loaded. */
  page: Page<Row> | undefined;
  /** Set when loading failed and there is no page to show. */
  failure: Error | null;
  /** Set while the displayed page is stale because a refresh failed. */
  staleSince: number | null;
  /** A page is displayed while another one is loading. */
  isRefreshing: boolean;
  /** The displayed page is of other filters, or another page: what is asked for is loading. */
  isOther: boolean;
  refresh: () => Promise<{ error: Error | null }>;
  /** Takes a snapshot of all rows with the present filters, for the export. */
  takeSnapshot: TakeSnapshot;
}

/** Parsed query parameters of the list, without its page. */
function queryOf<Spec extends ListSpec>(
  spec: Spec,
  texts: SearchValues,
  fixed: FixedQuery<Spec> | undefined,
) {
  return { ...queryFromText(spec.query, texts), ...fixed };
}

/**
 * For a page's module: requests the rows of the list at `url` before the page is drawn. `fixedAt`
 * returns the query parameters that follow from the path and the filters. The prefetch resolves once there are rows to display.
 */
export function listPrefetch<Spec extends ListSpec>(
  spec: Spec,
  fixedAt?: (path: string, texts: SearchValues) => FixedQuery<Spec>,
): (url: URL) => Promise<void> {
  return ({ pathname, searchParams }) => {
    const texts = textsOf(searchParams);
    const query = { ...queryOf(spec, texts, fixedAt?.(pathname, texts)), ...pagingOf(texts) };
    return prefetchCall(spec as EndpointSpec, { query } as CallInput<Spec>, {
      toasts: "besides-block",
    });
  };
}

/** `isLive`: the live channel tells of changes. */
export function useList<Spec extends ListSpec>(
  spec: Spec,
  fixed?: FixedQuery<Spec>,
  isLive = false,
): List<RowOf<Spec>> {
  const state = useListState();
  const query = queryOf(spec, state.texts, fixed);
  const inputFor = (page: number, pageSize: number) =>
    ({ query: { ...query, page, pageSize } }) as CallInput<Spec>;
  const answer = useCall(spec as EndpointSpec, inputFor(state.page, state.pageSize), {
    keepPreviousData: true,
    toasts: "besides-block",
    isLive,
  });
  return {
    state,
    query,
    page: answer.data as Page<RowOf<Spec>> | undefined,
    failure: answer.data === undefined ? answer.error : null,
    staleSince: answer.error && answer.data !== undefined ? answer.dataUpdatedAt : null,
    isRefreshing: answer.isFetching && answer.data !== undefined,
    isOther: answer.isPlaceholderData,
    refresh: () => answer.refetch(),
    takeSnapshot: (options) => takeSnapshot(spec, query, options),
  };
}
