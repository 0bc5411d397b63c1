// Sending one callback: the address is resolved once and checked, and the connection goes there and nowhere else.
import { Resolver } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { AttemptOutcome } from "@cabinet/contract/callback/callback.rules.ts";
import {
  callbackUrlProblem,
  retryAfterSeconds,
  TIMEOUT_SECONDS,
} from "@cabinet/contract/callback/callback.rules.ts";
import { isGlobalAddress, isLoopbackAddress } from "./address-guard.ts";

export interface CallbackAnswer {
  outcome: AttemptOutcome;
  status: number | null;
  responseType: string | null;
  /** The beginning of the body, as it came. */
  responseText: string | null;
  /** Seconds. */
  retryAfter: number | null;
  /** What it was connected to. */
  address: string | null;
  detail: string | null;
}

export interface ClientOptions {
  /** http and loopback are then allowed where the address says so itself: for rehearsals and tests. */
  allowsLoopback: boolean;
  /** The one origin on this machine that may be reached without that: the demo's own receiver. */
  localOrigin?: string | undefined;
  timeoutMs?: number;
  /** In tests. */
  resolve?: (host: string) => Promise<string[]>;
  isAllowed?: (address: string) => boolean;
  /** Trusted beside the usual ones, in tests. */
  ca?: string;
}

const MOST_RESPONSE_BYTES = 4 * 1024;
const DNS_TIMEOUT_MS = 2_000;

class Refused extends Error {
  readonly outcome: AttemptOutcome;
  constructor(outcome: AttemptOutcome, message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** Asks the name servers and no hosts file: names of this machine's own mean nothing here. */
async function resolvePublic(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

export class CallbackClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Never throws: whatever becomes of it is its answer. `signal` breaks it off. */
  async post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<CallbackAnswer> {
    const deadline = AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_SECONDS * 1000);
    const stopped = AbortSignal.any([signal, deadline]);
    const answer: CallbackAnswer = { ...noAnswer };
    try {
      const addresses = await untilAborted(this.#addressesOf(url), stopped);
      const sending = this.#send({ url, headers, body, addresses, signal: stopped }, answer);
      // Whatever a receiver does to its connection, an attempt ends with its time.
      await untilAborted(sending, stopped);
      return answer;
    } catch (error) {
      // What came before the end counts: a 2xx whose body never ends was a 2xx.
      if (answer.status !== null) return answer;
      if (signal.aborted) return { ...answer, outcome: "UNKNOWN", detail: "服务停止，已中断" };
      if (deadline.aborted) return { ...answer, outcome: "TIMEOUT" };
      return { ...answer, ...failureOf(error) };
    }
  }

  /** All of them are checked: one that leads inside is a trap. */
  async #addressesOf(text: string): Promise<string[]> {
    const { localOrigin, resolve = resolvePublic } = this.#options;
    const isOwn = URL.canParse(text) && new URL(text).origin === localOrigin;
    const allowsLoopback = this.#options.allowsLoopback || isOwn;
    const isAllowed = this.#options.isAllowed ?? isGlobalAddress;
    const problem = callbackUrlProblem(text, allowsLoopback);
    if (problem) throw new Refused("ADDRESS_REFUSED", problem);
    const host = new URL(text).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
    const isLocalName = allowsLoopback && host === "localhost";
    const addresses = isIP(host) ? [host] : isLocalName ? ["127.0.0.1"] : await resolve(host);
    if (addresses.length === 0) throw new Refused("DNS_FAILED", `${host} 没有解析到地址`);
    const isLocal = allowsLoopback && (isLocalName || isLoopbackAddress(host));
    const bad = addresses.find((address) => !(isLocal || isAllowed(address)));
    if (bad !== undefined) throw new Refused("ADDRESS_REFUSED", `${host} 指向 ${bad}`);
    return addresses;
  }

  #send(
    { url, headers, body, addresses, signal }: SendOptions,
    answer: CallbackAnswer,
  ): Promise<void> {
    const isTls = url.toLowerCase().startsWith("https:");
    const { ca } = this.#options;
    return new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(new URL(url), {
        method: "POST",
        // One connection for one attempt, through no proxy.
        agent: isTls ? new https.Agent({ ...(ca && { ca }) }) : new http.Agent(),
        lookup: pinnedTo(addresses),
        headers: { ...headers, "content-length": String(body.length), connection: "close" },
        signal,
      });
      request.on("error", reject);
      request.on("socket", (socket) => {
        socket.on("connect", () => {
          answer.address = socket.remoteAddress ?? null;
          if (!addresses.includes(answer.address ?? "")) {
            request.destroy(new Refused("ADDRESS_REFUSED", `连接到了 ${answer.address}`));
          }
        });
      });
      // It takes the connection over for something else: nobody asked for that.
      request.on("upgrade", (response, socket) => {
        Object.assign(answer, readHead(response));
        socket.destroy();
        resolve();
      });
      request.on("response", (response) => {
        Object.assign(answer, readHead(response));
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          answer.responseText = Buffer.concat(chunks).subarray(0, MOST_RESPONSE_BYTES).toString();
          if (size >= MOST_RESPONSE_BYTES) response.destroy();
        });
        response.on("close", resolve);
        response.on("error", resolve);
      });
      request.end(body);
    });
  }
}

interface SendOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  addresses: readonly string[];
  signal: AbortSignal;
}

/** What is known before anything came. */
export const noAnswer: CallbackAnswer = {
  outcome: "UNKNOWN",
  status: null,
  responseType: null,
  responseText: null,
  retryAfter: null,
  address: null,
  detail: null,
};

/** Answers with what was checked, whatever name servers say by now. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = found;
    if (options.all) callback(null, found);
    else if (first) callback(null, first.address, first.family);
  };
}

function readHead(response: http.IncomingMessage): Partial<CallbackAnswer> {
  const status = response.statusCode ?? 0;
  const location = response.headers.location;
  return {
    status,
    outcome: outcomeOf(status),
    responseType: response.headers["content-type"]?.slice(0, 100) ?? null,
    retryAfter: retryAfterSeconds(response.headers["retry-after"], Date.now()),
    detail:
      status >= 300 && status < 400 && location ? `Location: ${location.slice(0, 300)}` : null,
  };
}

function outcomeOf(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return "DELIVERED";
  if (status >= 300 && status < 400) return "REDIRECT";
  return status === 410 ? "GONE" : "HTTP_ERROR";
}

const connectCodes = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EACCES",
  "EPERM",
  "ETIMEDOUT",
]);

function failureOf(error: unknown): Pick<CallbackAnswer, "outcome" | "detail"> {
  if (error instanceof Refused) return { outcome: error.outcome, detail: error.message };
  const { code = "", message } = error as { code?: string; message: string };
  const detail = (code && message.includes(code) ? message : `${code} ${message}`).trim();
  return { outcome: kindOf(code, message), detail: detail.slice(0, 300) };
}

function kindOf(code: string, message: string): AttemptOutcome {
  if (connectCodes.has(code)) return "CONNECT_FAILED";
  const isTls =
    /CERT|TLS|SSL|EPROTO|SIGNATURE|ISSUER/.test(code) || /certificate|SSL/i.test(message);
  return isTls ? "TLS_FAILED" : "BROKEN_OFF";
}

/** Name servers are not always stopped by a signal. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
