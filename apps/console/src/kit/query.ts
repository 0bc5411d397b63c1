// Server state: TanStack Query with keys and types derived from the contract.
import type { EndpointSpec, Reply } from "@cabinet/contract/kit/endpoint.ts";
import {
  keepPreviousData,
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from "@tanstack/react-query";
import { type CallInput, call } from "./api.ts";
import { ApiError, reportError } from "./errors.ts";
import { formatNear } from "./format.ts";
import { followContent, lastHeardAt, networkStore } from "./network.ts";

const RETRIES = 1;
/** An answer with a longer time of its own, as of choices and settings, is no data whose age counts. */
const FRESH_MS = 5_000;

function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === "network" || error.status >= 502);
}

/** The bar above all pages says so. */
const isOutOfReach = (error: unknown) =>
  error instanceof ApiError && error.status === 0 && networkStore.getState().lostAt !== null;

/** Specification §8 demands a toast for response code 1 alone; other failures need only be shown. */
const isRefusal = (error: unknown) => error instanceof ApiError && error.kind === "refused";

/** Answers that arrive together are drawn once: by default each has a timer, and React draws after each timer. */
let notices: (() => void)[] = [];

notifyManager.setScheduler((notify) => {
  if (notices.push(notify) > 1) return;
  setTimeout(() => {
    const due = notices;
    notices = [];
    for (const each of due) each();
  });
});

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { meta, state }) => {
      if (isOutOfReach(error)) return;
      const isShownInPlace = meta?.toasts === "besides-block" && state.data === undefined;
      if (meta?.toasts && !(isShownInPlace && !isRefusal(error))) reportError(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _input, _context, mutation) =>
      mutation.options.meta?.toasts && reportError(error),
  }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
      refetchOnWindowFocus: true,
      networkMode: "always",
    },
    // By default TanStack Query parks calls without a network and makes them when it is back: a door opened 88 s after the press.
    mutations: { networkMode: "always", retry: false },
  },
});

/** First part of a call's path after its version: `/admin/v1/store/{id}` → `store`. */
function nounOf({ path }: EndpointSpec): string {
  return path.split("/")[3] ?? "";
}

/** Key prefix of all cached answers of a call; begins with its noun. */
export function callKey(spec: EndpointSpec): readonly [string, string, string] {
  return [nounOf(spec), spec.method, spec.path];
}

interface FailureOptions {
  /** Shows a toast when the call fails; by default the caller shows the error itself. */
  toasts?: boolean;
}

interface ReadFailureOptions {
  /** As for a write; `besides-block`: the caller shows a failed first load in place of the content. */
  toasts?: boolean | "besides-block";
}

interface UseCallOptions extends ReadFailureOptions {
  /**
   * Keeps the answer of the former question while the next one loads, as `isPlaceholderData`: the caller must mark it
   * (`data-other`). Without it there are no data, as at first.
   */
  keepPreviousData?: boolean;
  /** Changes are told by the live channel: as long as that is open, the answer is of now. */
  isLive?: boolean;
  enabled?: boolean;
  staleTime?: number;
  refetchInterval?: number | false;
}

type Optional<Spec extends EndpointSpec> =
  Partial<CallInput<Spec>> extends CallInput<Spec>
    ? [input?: CallInput<Spec>, options?: UseCallOptions]
    : [input: CallInput<Spec>, options?: UseCallOptions];

/** Starts a reading call whose answer will be displayed soon. Resolves once there is something to display. */
export function prefetchCall<Spec extends EndpointSpec>(
  spec: Spec,
  input: CallInput<Spec>,
  { toasts }: ReadFailureOptions = {},
): Promise<void> {
  const query = { ...queryOf(spec, input), ...(toasts && { meta: { toasts } }) };
  const isKnown = queryClient.getQueryData(query.queryKey) !== undefined;
  const fetched = queryClient.prefetchQuery(query);
  return isKnown ? Promise.resolve() : fetched;
}

/**
 * Starts reading calls that one request answers together: a component that uses one of them joins
 * it. `fetchAll` resolves with the answers by name; one without access is absent. Resolves once there is something to
 * display for each.
 */
export async function prefetchTogether<Name extends string>(
  specs: Readonly<Record<Name, EndpointSpec>>,
  inputs: Readonly<Record<Name, object>>,
  fetchAll: () => Promise<Partial<Record<Name, unknown>>>,
): Promise<void> {
  let all: ReturnType<typeof fetchAll> | undefined;
  const partOf = async (name: Name) => {
    all ??= fetchAll();
    const given = all;
    try {
      const { [name]: part } = await given;
      if (part === undefined) throw new Error(`no access to ${name}`);
      return part;
    } catch (error) {
      // A retry requests them again, once for all.
      if (all === given) all = undefined;
      throw error;
    }
  };
  const prefetched = (Object.keys(specs) as Name[]).map((name) => {
    const queryKey = [...callKey(specs[name]), inputs[name]];
    const isKnown = queryClient.getQueryData(queryKey) !== undefined;
    const fetched = queryClient.prefetchQuery({ queryKey, queryFn: () => partOf(name) });
    return isKnown ? null : fetched;
  });
  await Promise.all(prefetched);
}

/** Stores answers of several calls, by name, that one request has returned; a call without access has none. */
export function cacheTogether<Name extends string>(
  specs: Readonly<Record<Name, EndpointSpec>>,
  inputs: Readonly<Record<Name, object>>,
  { answers, updatedAt }: { answers: Partial<Record<Name, unknown>>; updatedAt: number },
): void {
  for (const name of Object.keys(answers) as Name[]) {
    queryClient.setQueryData([...callKey(specs[name]), inputs[name]], answers[name], { updatedAt });
  }
}

function queryOf<Spec extends EndpointSpec>(spec: Spec, input: CallInput<Spec> | undefined) {
  return {
    queryKey: [...callKey(spec), input ?? {}],
    queryFn: ({ signal }: { signal: AbortSignal }) => callWith(spec, input, signal),
  };
}

/** Answer of a reading call. */
export function useCall<Spec extends EndpointSpec>(
  spec: Spec,
  ...[input, options = {}]: Optional<Spec>
): UseQueryResult<Reply<Spec>, Error> {
  const { keepPreviousData: keeps, toasts, isLive, ...rest } = options;
  const answer = useQuery<Reply<Spec>, Error>({
    ...queryOf(spec, input),
    ...(keeps && { placeholderData: keepPreviousData as never }),
    meta: { toasts, isLive, isLasting: (rest.staleTime ?? 0) > FRESH_MS },
    ...rest,
  });
  // Reading them subscribes this component: the dialog that shows them may be loaded after they have changed.
  void [answer.data, answer.error];
  return answer;
}

/** Time of the oldest data on screen; null: there are none. */
function contentSince(): number | null {
  const times = queryClient
    .getQueryCache()
    .findAll({ type: "active" })
    .flatMap(({ meta, state }) => {
      if (state.data === undefined || meta?.isLasting !== false) return [];
      const { dataUpdatedAt: at } = state;
      return [meta.isLive ? Math.max(at, lastHeardAt() ?? 0) : at];
    });
  return times.length > 0 ? Math.min(...times) : null;
}

followContent({
  sinceText: (now) => {
    const since = contentSince();
    return since === null ? null : formatNear(since, now);
  },
  subscribe: (listener) => queryClient.getQueryCache().subscribe(listener),
  // Resolves when it has been answered, or has failed.
  refetch: () => queryClient.refetchQueries({ type: "active" }),
});

interface UseWriteOptions extends FailureOptions {
  /** Calls of other nouns whose cached answers are refetched after success. */
  invalidates?: readonly EndpointSpec[];
}

/**
 * Mutation for a writing call; `mutateAsync(input)` returns its reply. Success refetches all calls of
 * the same noun that are in use.
 */
export function useWrite<Spec extends EndpointSpec>(
  spec: Spec,
  { invalidates = [], toasts }: UseWriteOptions = {},
): UseMutationResult<Reply<Spec>, Error, CallInput<Spec>> {
  return useMutation<Reply<Spec>, Error, CallInput<Spec>>({
    mutationFn: (input) => callWith(spec, input),
    // Not awaited: a write is done when it is answered, however slow the lists are.
    onSuccess: () => {
      void invalidateNoun(spec);
      void invalidate(...invalidates);
    },
    ...(toasts && { meta: { toasts } }),
  });
}

/** Refetches the given calls wherever they are in use. */
export async function invalidate(...specs: readonly EndpointSpec[]): Promise<void> {
  await Promise.all(
    specs.map((spec) => queryClient.invalidateQueries({ queryKey: callKey(spec) })),
  );
}

/** Refetches all calls of the noun of `spec` wherever they are in use. */
export function invalidateNoun(spec: EndpointSpec): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [nounOf(spec)] });
}

function callWith<Spec extends EndpointSpec>(
  spec: Spec,
  input: CallInput<Spec> | undefined,
  signal?: AbortSignal,
): Promise<Reply<Spec>> {
  const loose = call as (
    spec: Spec,
    input?: CallInput<Spec>,
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<Reply<Spec>>;
  return loose(spec, input, { signal });
}
