// Makes the calls of the app API: every failure is a refusal by the server or a missing answer.
import type { Refused } from "@cabinet/contract/kit/endpoint.ts";
import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";
import { PRESS_HEADER } from "@cabinet/contract/kit/press.rules.ts";
import { REPLAYED_HEADER } from "@cabinet/contract/kit/repeat.rules.ts";
import { APP_TOKEN_HEADER } from "@cabinet/contract/orders/app/app.rules.ts";
import { type CallName, type InputOf, type ReplyOf, routes } from "./calls.ts";
import { endOnceKey, onceKey, replayed } from "./once-key.ts";
import { clock, pressNow } from "./press.ts";
import { currentSession, endSession } from "./session.ts";

const TIMEOUT_MS = 10_000;
/** A photo over a slow line. */
const UPLOAD_TIMEOUT_MS = 60_000;

/** The server refused: nothing happened. The message is its Chinese sentence. */
export class Refusal extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

/** No answer, or one from a server in trouble: the call may still have had its effect. */
export class NoAnswer extends Error {}

export type Failure = Refusal | NoAnswer;

export const failureOf = (error: unknown): Failure =>
  error instanceof Refusal || error instanceof NoAnswer ? error : new NoAnswer(String(error));

interface Options {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Time at which the person pressed, for a request that is repeated; otherwise now. */
  pressedAt?: number;
}

type Args<Name extends CallName> =
  Record<never, never> extends InputOf<Name>
    ? [input?: InputOf<Name>, options?: Options]
    : [input: InputOf<Name>, options?: Options];

interface Parts {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: object;
}

/** Header of one call that needs a solved captcha. */
export async function solvedCaptcha(): Promise<Record<string, string>> {
  const challenge = await call("captcha");
  const { solve } = await import("./captcha.ts");
  return solve(challenge).catch((error) => {
    throw new NoAnswer(String(error));
  });
}

/** The server may answer that it wants a proof of work first: nothing happened, and the same call brings it. */
export async function call<Name extends CallName>(
  name: Name,
  ...[input, options]: Args<Name>
): Promise<ReplyOf<Name>> {
  const given = input ?? ({} as InputOf<Name>);
  try {
    return await callOnce(name, given, options);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "CAPTCHA_DUE") throw error;
    const headers = { ...options?.headers, ...(await solvedCaptcha()) };
    return callOnce(name, given, { ...options, headers });
  }
}

async function callOnce<Name extends CallName>(
  name: Name,
  input: InputOf<Name>,
  options: Options | undefined,
): Promise<ReplyOf<Name>> {
  const { params = {}, query = {}, body } = input as Parts;
  const [method = "", route = "", ...marks] = routes[name].split(" ");
  const path = route.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(String(params[key])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  const isForm = body instanceof FormData;
  const content = isForm ? body : body && JSON.stringify(body);
  const session = currentSession();
  // The person, not the session: who signs in again in between repeats the same request.
  const request = marks.includes("once")
    ? `${method} ${path} ${session?.phone ?? ""} ${content}`
    : null;
  const pressedAt = options?.pressedAt ?? pressNow();
  const once = request === null ? null : onceKey(request, pressedAt);
  const headers: Record<string, string> = {
    ...(session && { [APP_TOKEN_HEADER]: session.token }),
    ...(content !== undefined && !isForm && { "content-type": "application/json" }),
    ...(once && { "idempotency-key": once.key }),
    ...(marks.includes("pressed") && { [PRESS_HEADER]: String(pressedAt) }),
    ...options?.headers,
  };
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), isForm ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS);
  options?.signal?.addEventListener("abort", () => stop.abort());
  const sentAt = Date.now();
  let response: Response;
  let envelope: Partial<Omit<Refused, "code">> & { code?: number };
  try {
    const url = `/api${path}${search && `?${search}`}`;
    response = await fetch(url, {
      ...{ method, headers, body: content ?? null, signal: stop.signal, cache: "no-store" },
    });
    clock.learn({ sentAt, receivedAt: Date.now() }, (header) => response.headers.get(header));
    envelope = await response.json();
  } catch (error) {
    throw new NoAnswer(String(error));
  } finally {
    clearTimeout(timer);
  }
  // On 5xx the server may have executed it, and on 409 is executing it: the key is kept for the repeat.
  const isSettled = response.status < 500 && response.status !== 409;
  if (!isSettled) throw new NoAnswer(envelope.errMsg ?? response.statusText);
  if (request !== null) {
    endOnceKey(request);
    replayed.set(once?.isRepeat === true && response.headers.get(REPLAYED_HEADER) === "true");
  }
  if (response.status === 401 && session) endSession(session.token);
  if (envelope.code === 0) return envelope.data as ReplyOf<Name>;
  throw new Refusal((envelope.errCode ?? "INTERNAL") as ErrorCode, envelope.errMsg ?? "");
}
