// Typed API client: one function makes every call of the contract.
import {
  type EndpointSpec,
  isReading,
  loadOf,
  type Refused,
  type Reply,
  type Success,
  urlPath,
} from "@cabinet/contract/kit/endpoint.ts";
import { REPLAYED_HEADER } from "@cabinet/contract/kit/repeat.rules.ts";
import type { Static, TSchema } from "typebox";
import { ApiError, codeOf, failureOf } from "./errors.ts";
import { noteReplay } from "./feedback.ts";
import { hearAnswer, isOfflineSince, missAnswer, pressHeader, pressNow } from "./network.ts";
import { endOnceKey, onceKey } from "./once-key.ts";
import { askForProof } from "./proof.ts";
import { queryText, requestBody, requestPath } from "./request.rules.ts";
import {
  currentSession,
  currentToken,
  isCovered,
  ownerOf,
  sessionStore,
  whenUncovered,
} from "./session.ts";
import { type Sent, send } from "./transport.ts";

/** Specification §9. */
const REQUEST_TIMEOUT_MS = 10_000;

// biome-ignore lint/complexity/noBannedTypes: `{}` asks whether all fields are optional.
type Nothing = {};
type Part<Name extends string, Schema> = Schema extends TSchema
  ? Nothing extends Static<Schema>
    ? { [Key in Name]?: Static<Schema> }
    : { [Key in Name]: Static<Schema> }
  : { [Key in Name]?: undefined };

/** Input of a call; parts whose fields are all optional may be omitted. */
export type CallInput<Spec extends EndpointSpec> = Part<"params", Spec["params"]> &
  Part<"query", Spec["query"]> &
  Part<"body", Spec["body"]>;

interface CallOptions {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

export type CallArgs<Spec extends EndpointSpec> =
  Nothing extends CallInput<Spec>
    ? [input?: CallInput<Spec>, options?: CallOptions]
    : [input: CallInput<Spec>, options?: CallOptions];

type ReplyEnvelope = Partial<
  Omit<Refused | Static<ReturnType<typeof Success>>, "data"> & { data: unknown } & Pick<
      Refused,
      "requestId" | "errCode"
    >
>;

/** Headers of every request after sign-in (specification §7). */
export function sessionHeaders(): Record<string, string> {
  const session = currentSession();
  const token = currentToken();
  return {
    "auth-id": "cupboard",
    ...(token && session && { "auth-token": token, tenantId: String(session.tenantId) }),
  };
}

const urlOf = (spec: EndpointSpec, params: Record<string, unknown> | undefined, search: string) => {
  const path = requestPath(urlPath(spec), params);
  return search ? `${path}?${search}` : path;
};

interface EarlyCall {
  token: string | null;
  startedAt: number;
  answer: Promise<unknown>;
}

/** By URL: calls that started before the app was loaded. */
const early = new Map<string, EarlyCall>();

/** The answer of the early call with this URL, once; null if there is none, or if it is older than a request may take. */
function takeEarly(url: string, token: string | null): Promise<unknown> | null {
  const taken = early.get(url);
  early.delete(url);
  if (taken?.token !== token || Date.now() - taken.startedAt > REQUEST_TIMEOUT_MS) return null;
  return taken.answer;
}

/** Starts a reading call before the app is loaded: the first `call` of the same URL gets its answer. */
export function callEarly(path: EndpointSpec["path"], query?: Record<string, string>): void {
  const spec = { method: "GET", path, access: "signed-in" } as EndpointSpec;
  const token = currentToken();
  const answer = callOnce(spec, pressNow(), { query } as object);
  // The app's call reports the failure.
  answer.catch(() => null);
  const url = urlOf(spec, undefined, queryText(query, spec.method));
  early.set(url, { token, startedAt: Date.now(), answer });
}

/** Resolves when the account of the covered page has signed in again. Another one must not make its calls. */
async function whenOwnerIsBack(): Promise<void> {
  const owner = ownerOf(currentSession());
  await whenUncovered();
  if (ownerOf(currentSession()) !== owner) throw failureOf({ kind: "aborted", status: 0 }, null);
}

const isOfSignIn = ({ path }: EndpointSpec) => /^\/(auth|admin\/v1\/second-factor)\b/.test(path);

/**
 * Makes the call and returns its data; throws every failure as an `ApiError`. A sensitive call asks the user for a
 * recent proof if the server wants one, and is repeated. A call of an ended session whose page stays is made when the
 * user has signed in again, unless it is an order to a cabinet.
 */
export async function call<Spec extends EndpointSpec>(
  spec: Spec,
  ...args: CallArgs<Spec>
): Promise<Reply<Spec>> {
  if (isCovered() && !isOfSignIn(spec)) await whenOwnerIsBack();
  const token = currentToken();
  try {
    return await callOnce(spec, pressNow(), ...args);
  } catch (failure) {
    const isOver = failure instanceof ApiError && failure.status === 401;
    if (isOver && !spec.pressed && token !== null && sessionStore.getState().endedToken === token) {
      return call(spec, ...args);
    }
    const provenAt = codeOf(failure) === "PROOF_DUE" ? await askForProof() : null;
    if (provenAt === null) throw failure;
    return callOnce(spec, provenAt, ...args);
  }
}

/** `pressedAt` is the same for all repeats of the request. */
async function callOnce<Spec extends EndpointSpec>(
  spec: Spec,
  pressedAt: number,
  ...[input, options]: CallArgs<Spec>
): Promise<Reply<Spec>> {
  const { params, query, body } = (input ?? {}) as Record<string, Record<string, unknown>>;
  const search = queryText(query, spec.method);
  const url = urlOf(spec, params, search);
  const token = currentToken();
  const started = isReading(spec) ? takeEarly(url, token) : null;
  if (started) return started as Promise<Reply<Spec>>;
  const sent = requestBody(spec.bodyForm === "form" ? "form" : "json", search, body);
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const signal = options?.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const request = `${spec.method} ${url} ${sent?.text}`;
  const once = spec.once ? onceKey(request, pressedAt) : null;
  const headers = {
    ...sessionHeaders(),
    ...sent?.headers,
    ...(once && { "idempotency-key": once.key }),
    ...(spec.pressed && pressHeader(pressedAt)),
    ...options?.headers,
  };
  const isWrite = !isReading(spec);
  const sentAt = Date.now();
  let reply: Sent;
  try {
    reply = await send(url, {
      method: spec.method,
      headers,
      body: sent?.text ?? null,
      signal,
      cache: "no-store",
      // Eight slow lists must not hold up a door or a form.
      urgent: isWrite || loadOf(spec) === "critical",
      isWrite,
    });
  } catch (error) {
    const wasAborted = options?.signal?.aborted ?? false;
    if (!wasAborted) missAnswer(sentAt);
    const kind = wasAborted ? "aborted" : missKind(sentAt, timeout.aborted);
    const errorMessage = error instanceof Error ? error.message : undefined;
    throw failureOf({ kind, status: 0, errorMessage, isWrite }, token);
  }
  const { response, text, times } = reply;
  hearAnswer(response, times);
  const { status, statusText, headers: got } = response;
  // On 5xx or no response the server may have executed it: keep the idempotency key for the retry.
  if (once && response.ok) endOnceKey(request);
  const answer = { status, statusText, requestId: got.get("x-request-id"), text };
  const data = dataOf(answer, token) as Reply<Spec>;
  if (once?.isRepeat && got.get(REPLAYED_HEADER) === "true") noteReplay();
  return data;
}

/** Why there is no answer to a request of that time. */
export const missKind = (sentAt: number, isLate: boolean) =>
  isLate ? "timeout" : isOfflineSince(sentAt) ? "offline" : "network";

/** HTTP response, independent of the transport (fetch or XMLHttpRequest). */
export interface Answer {
  status: number;
  statusText: string;
  requestId: string | null;
  text: string;
}

/** Returns the data of a successful call; throws an `ApiError` otherwise. */
export function dataOf({ status, statusText, requestId, text }: Answer, token: string | null) {
  const envelope = readEnvelope(text);
  const isOk = status >= 200 && status < 300;
  if (isOk && envelope?.code === 0) return envelope.data;
  throw failureOf(
    {
      kind: isOk && envelope ? "refused" : "http",
      status,
      errCode: envelope?.errCode,
      data: envelope?.data,
      errMsg: envelope?.errMsg,
      requestId: envelope?.requestId ?? requestId ?? undefined,
      errorMessage: statusText,
    },
    token,
  );
}

/** Null for a body that is not our JSON, such as a proxy's error page. */
function readEnvelope(text: string): ReplyEnvelope | null {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof reply === "object" && reply !== null ? reply : null;
  } catch {
    return null;
  }
}
