// Sends one webhook: resolves and checks the address once, then pins the connection to it.
import { Resolver } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { AttemptOutcome } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import {
  retryAfterSeconds,
  TIMEOUT_SECONDS,
  webhookUrlProblem,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { hostOf, isGlobalAddress, isLoopbackAddress } from "./address.gate.ts";

export interface WebhookAnswer {
  outcome: AttemptOutcome;
  status: number | null;
  responseType: string | null;
  /** The beginning of the body, unchanged. */
  responseText: string | null;
  /** Delay asked for by the Retry-After header, in seconds. */
  retryAfter: number | null;
  /** The address it connected to. */
  address: string | null;
  detail: string | null;
}

export interface ClientOptions {
  /** Allows http and loopback for this URL, if the URL itself names loopback. */
  allowsLoopback: (url: URL) => boolean;
  timeoutMs?: number;
  /** Replaced in tests. */
  resolve?: (host: string) => Promise<string[]>;
  isAllowed?: (address: string) => boolean;
  /** An additional trusted certificate authority, in tests. */
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

/** Queries the name servers only, never the hosts file: local names must not resolve. */
async function resolvePublic(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

export class WebhookClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Never throws: every failure becomes a `CallbackAnswer`. `signal` aborts the attempt. */
  async post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    const deadline = AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_SECONDS * 1000);
    const stopped = AbortSignal.any([signal, deadline]);
    const answer: WebhookAnswer = { ...noAnswer };
    try {
      const addresses = await untilAborted(this.#addressesOf(url), stopped);
      const sending = this.#send({ url, headers, body, addresses, signal: stopped }, answer);
      // The attempt ends at its deadline, whatever the receiver does to the connection.
      await untilAborted(sending, stopped);
      return answer;
    } catch (error) {
      // A status already received decides: a 2xx whose body never ends was a 2xx.
      if (answer.status !== null) return answer;
      if (signal.aborted) return { ...answer, outcome: "UNKNOWN", detail: "服务停止，已中断" };
      if (deadline.aborted) return { ...answer, outcome: "TIMEOUT" };
      return { ...answer, ...failureOf(error) };
    }
  }

  /** Checks all resolved addresses: a single internal one refuses the request (DNS rebinding). */
  async #addressesOf(text: string): Promise<string[]> {
    const { resolve = resolvePublic } = this.#options;
    const allowsLoopback = URL.canParse(text) && this.#options.allowsLoopback(new URL(text));
    const isAllowed = this.#options.isAllowed ?? isGlobalAddress;
    const problem = webhookUrlProblem(text, allowsLoopback);
    if (problem) throw new Refused("ADDRESS_REFUSED", problem);
    const host = hostOf(text);
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
    answer: WebhookAnswer,
  ): Promise<void> {
    const isTls = url.toLowerCase().startsWith("https:");
    const { ca } = this.#options;
    return new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(new URL(url), {
        method: "POST",
        // A fresh agent per attempt: no connection reuse and no proxy.
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
      // Unrequested protocol upgrade: keep the status and close the connection.
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

/** The initial answer, before any response. */
export const noAnswer: WebhookAnswer = {
  outcome: "UNKNOWN",
  status: null,
  responseType: null,
  responseText: null,
  retryAfter: null,
  address: null,
  detail: null,
};

/** DNS lookup that returns only the checked addresses, whatever the name servers answer now. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = found;
    if (options.all) callback(null, found);
    else if (first) callback(null, first.address, first.family);
  };
}

function readHead(response: http.IncomingMessage): Partial<WebhookAnswer> {
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

function failureOf(error: unknown): Pick<WebhookAnswer, "outcome" | "detail"> {
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

/** Rejects on abort even where `work` ignores the signal, as DNS queries may. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
