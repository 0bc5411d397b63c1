// Reads of the app API in components: data, failure and reload.
import { useCallback, useEffect, useState } from "react";
import { call, type Failure, failureOf } from "./api.ts";
import type { CallName, InputOf, ReplyOf } from "./calls.ts";

export interface Loaded<Data> {
  data: Data | null;
  failure: Failure | null;
  reload: () => void;
}

/** Repeats the call when its input changes; null asks nothing. Keeps the data of a failed reload. */
export function useCall<Name extends CallName>(
  name: Name,
  input: InputOf<Name> | null,
): Loaded<ReplyOf<Name>> {
  const request = input === null ? null : JSON.stringify(input);
  const [round, setRound] = useState(0);
  const [result, setResult] = useState<{
    request: string | null;
    data: ReplyOf<Name> | null;
    failure: Failure | null;
  }>({ request, data: null, failure: null });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round repeats the request.
  useEffect(() => {
    if (request === null) return;
    const stop = new AbortController();
    const ask = call as (name: Name, input: unknown, options: object) => Promise<ReplyOf<Name>>;
    ask(name, JSON.parse(request), { signal: stop.signal }).then(
      (data) => stop.signal.aborted || setResult({ request, data, failure: null }),
      (error) =>
        stop.signal.aborted ||
        setResult((last) => ({
          request,
          data: last.request === request ? last.data : null,
          failure: failureOf(error),
        })),
    );
    return () => stop.abort();
  }, [name, request, round]);

  const reload = useCallback(() => setRound((last) => last + 1), []);
  const isOwn = result.request === request;
  return {
    data: isOwn ? result.data : null,
    failure: isOwn ? result.failure : null,
    reload,
  };
}
