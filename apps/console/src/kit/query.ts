// Server state: TanStack Query with keys and types derived from the contract.
import type { EndpointSpec, Reply } from "@cabinet/contract/kit/endpoint.ts";
import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from "@tanstack/react-query";
import { type CallInput, call } from "./api.ts";
import { ApiError, reportError } from "./errors.ts";

const RETRIES = 1;

function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === "network" || error.status >= 502);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => query.meta?.isQuiet || reportError(error),
  }),
  mutationCache: new MutationCache({
    onError: (error, _input, _context, mutation) =>
      mutation.options.meta?.isQuiet || reportError(error),
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

/** Key prefix of all cached answers of a call. */
export function callKey(spec: EndpointSpec): readonly [string, string] {
  return [spec.method, spec.path];
}

interface UseCallOptions {
  /** Keeps the last page displayed while the next one loads. */
  keepPreviousData?: boolean;
  enabled?: boolean;
  staleTime?: number;
  refetchInterval?: number | false;
  /** The caller shows the error itself: no toast. */
  isQuiet?: boolean;
}

type Optional<Spec extends EndpointSpec> =
  Partial<CallInput<Spec>> extends CallInput<Spec>
    ? [input?: CallInput<Spec>, options?: UseCallOptions]
    : [input: CallInput<Spec>, options?: UseCallOptions];

/** Answer of a reading call. */
export function useCall<Spec extends EndpointSpec>(
  spec: Spec,
  ...[input, options = {}]: Optional<Spec>
): UseQueryResult<Reply<Spec>, Error> {
  const { keepPreviousData: keeps, isQuiet, ...rest } = options;
  return useQuery<Reply<Spec>, Error>({
    queryKey: [...callKey(spec), input ?? {}],
    queryFn: ({ signal }) => callWith(spec, input, signal),
    ...(keeps && { placeholderData: keepPreviousData as never }),
    ...(isQuiet && { meta: { isQuiet } }),
    ...rest,
  });
}

export interface UseWriteOptions {
  /** Calls whose cached answers are refetched after success. */
  invalidates?: readonly EndpointSpec[];
  isQuiet?: boolean;
}

/** Mutation for a writing call; `mutateAsync(input)` returns its reply. */
export function useWrite<Spec extends EndpointSpec>(
  spec: Spec,
  { invalidates = [], isQuiet }: UseWriteOptions = {},
): UseMutationResult<Reply<Spec>, Error, CallInput<Spec>> {
  return useMutation<Reply<Spec>, Error, CallInput<Spec>>({
    mutationFn: (input) => callWith(spec, input),
    onSuccess: () => invalidate(...invalidates),
    ...(isQuiet && { meta: { isQuiet } }),
  });
}

/** Refetches the given calls wherever they are in use. */
export async function invalidate(...specs: readonly EndpointSpec[]): Promise<void> {
  await Promise.all(
    specs.map((spec) => queryClient.invalidateQueries({ queryKey: callKey(spec) })),
  );
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
