// Lists that grow by "show more": the pages so far, joined.
import { useEffect, useState } from "react";
import { call, type Failure, failureOf } from "./api.ts";
import type { CallName, ReplyOf } from "./calls.ts";
import type { Loaded } from "./use-call.ts";

type ListName = {
  [Name in CallName]: ReplyOf<Name> extends { list: unknown[]; total: number } ? Name : never;
}[CallName];
type Item<Name extends ListName> = ReplyOf<Name>["list"][number];
interface Query {
  [key: string]: string | number | boolean;
}

const PAGE_SIZE = 20;

type Pages<Name extends ListName> = Loaded<Item<Name>[]> & {
  hasMore: boolean;
  showMore: () => void;
};

/** `query` without the page. Begins again when it changes. */
export function usePages<Name extends ListName>(name: Name, query: Query): Pages<Name> {
  const filter = JSON.stringify(query);
  const first = { filter, page: 1, round: 0 };
  const [asked, setAsked] = useState(first);
  const [result, setResult] = useState<{
    filter: string;
    list: Item<Name>[] | null;
    hasMore: boolean;
    failure: Failure | null;
  }>({ filter, list: null, hasMore: false, failure: null });
  const current = asked.filter === filter ? asked : first;
  const { page, round } = current;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round repeats the request.
  useEffect(() => {
    const stop = new AbortController();
    const ask = call as (name: Name, input: unknown, options: object) => Promise<ReplyOf<Name>>;
    const input = { query: { ...JSON.parse(filter), page, pageSize: PAGE_SIZE } };
    ask(name, input, { signal: stop.signal }).then(
      (reply) => {
        if (stop.signal.aborted) return;
        const { list, total } = reply as { list: Item<Name>[]; total: number };
        setResult((last) => {
          const earlier = page > 1 && last.filter === filter ? (last.list ?? []) : [];
          const joined = [...earlier, ...list];
          const hasMore = joined.length < total && list.length > 0;
          return { filter, list: joined, hasMore, failure: null };
        });
      },
      (error) =>
        stop.signal.aborted ||
        setResult((last) => ({
          ...(last.filter === filter ? last : { filter, list: null, hasMore: false }),
          failure: failureOf(error),
        })),
    );
    return () => stop.abort();
  }, [name, filter, page, round]);

  const isOwn = result.filter === filter;
  return {
    data: isOwn ? result.list : null,
    failure: isOwn ? result.failure : null,
    hasMore: isOwn && result.hasMore,
    showMore: () => setAsked({ filter, page: page + 1, round }),
    // A failed page is asked for again; a list that is whole begins anew.
    reload: () => setAsked({ filter, page: result.failure ? page : 1, round: round + 1 }),
  };
}
