// Answers the console's requests in the browser: the catalogue has no server.
import { type EndpointSpec, type Reply, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { REPLAYED_HEADER } from "@cabinet/contract/kit/repeat.rules.ts";
import { LIVE_PING_HEADER, LIVE_PING_MS } from "@cabinet/contract/live/live.rules.ts";

export interface ReceivedRequest {
  query: Readonly<Record<string, string>>;
  body: unknown;
  /** Aborted when the page no longer waits for the answer. */
  signal: AbortSignal;
}

export interface Answer {
  method: string;
  path: RegExp;
  reply: (request: ReceivedRequest) => unknown;
}

type Replied<Spec extends EndpointSpec> = Reply<Spec> | Response;

/** Answers one call with its data, or with a response such as `refused`. */
export function answer<Spec extends EndpointSpec>(
  spec: Spec,
  reply: (request: ReceivedRequest) => Replied<Spec> | Promise<Replied<Spec>>,
): Answer {
  const path = new RegExp(`^${urlPath(spec).replace(/\{\w+\}/g, "[^/]+")}$`);
  return { method: spec.method, path, reply };
}

export const refused = (errMsg: string) => Response.json({ code: 1, data: null, errMsg });
export const failed = (status: number) => new Response(null, { status });
/** The request has arrived, its answer has not. */
export const lost = () => Promise.reject(new TypeError("Failed to fetch"));
/** Answer of an earlier request with the same idempotency key. */
export const replayedAnswer = (data: unknown) =>
  Response.json({ code: 0, data, errMsg: "" }, { headers: { [REPLAYED_HEADER]: "true" } });
export const never = () => new Promise<never>(() => {});

/** The first answer of a state, then the other one. */
export function once(first: Answer["reply"], then: Answer["reply"]): Answer["reply"] {
  let isFirst = true;
  return (request) => {
    const reply = isFirst ? first : then;
    isFirst = false;
    return reply(request);
  };
}

/** Replies when the page gets an event `release`: `dispatchEvent(new Event("release"))`. */
export const held = <Data>(data: Data) =>
  new Promise<Data>((resolve) => {
    addEventListener("release", () => resolve(data), { once: true });
  });

/** Refusal that a test demands by an event `refuse` of the page, until one without a detail. */
let demanded: { status: number; data?: string; errMsg?: string } | null = null;
addEventListener("refuse", (event) => {
  demanded = (event as CustomEvent<typeof demanded>).detail;
});

/** Replies with the refusal that a test demands, else as `reply` does. */
export const refusable =
  (reply: Answer["reply"]): Answer["reply"] =>
  (request) => {
    if (!demanded) return reply(request);
    const { status, ...texts } = demanded;
    return Response.json({ code: 1, data: null, errMsg: "", ...texts }, { status });
  };

/** The server takes requests and says nothing more: from an event `silence` of the page to its event `sound`. */
let isSilent = false;
addEventListener("silence", () => {
  isSilent = true;
});
addEventListener("sound", () => {
  isSilent = false;
});

/** Asked for all the time; not logged. */
const VERSION_PATH = "/version.json";

/** Live channel that pings, as long as the server is not silent and the page listens. */
export function pinging({ signal }: ReceivedRequest): Response {
  const body = new ReadableStream({
    start(controller) {
      const ping = () => !isSilent && controller.enqueue(new TextEncoder().encode(": ping\n\n"));
      ping();
      const timer = setInterval(ping, 1_000);
      signal.addEventListener("abort", () => {
        clearInterval(timer);
        controller.error(signal.reason);
      });
    },
  });
  return new Response(body, { headers: { [LIVE_PING_HEADER]: String(LIVE_PING_MS) } });
}

let answers: readonly Answer[] = [];

/** From now on these answers alone reply to requests. */
export function answerWith(all: readonly Answer[]): void {
  answers = all;
}

/**
 * Replaces fetch and XMLHttpRequest for paths below `/api`; logs each request to the console. Without a network (Playwright's
 * `setOffline`) they fail, as the browser's own do.
 */
export function answerRequests(): void {
  const respond = async (
    method: string,
    url: URL,
    { body, signal }: Pick<ReceivedRequest, "body" | "signal">,
  ): Promise<Response> => {
    if (!navigator.onLine) throw new TypeError("Failed to fetch");
    if (url.pathname !== VERSION_PATH) console.debug(`${method} ${url.pathname}${url.search}`);
    if (isSilent) await never();
    if (url.pathname === VERSION_PATH) return Response.json({ version: "1" });
    const found = answers.find((one) => one.method === method && one.path.test(url.pathname));
    if (!found) return failed(404);
    const reply = await found.reply({ query: Object.fromEntries(url.searchParams), body, signal });
    return reply instanceof Response ? reply : Response.json({ code: 0, data: reply, errMsg: "" });
  };

  const { fetch } = window;
  window.fetch = (input, init = {}) => {
    const url = new URL(String(input), location.origin);
    const isOurs = url.pathname.startsWith("/api/") || url.pathname === VERSION_PATH;
    if (!isOurs) return fetch(input, init);
    const body = typeof init.body === "string" ? JSON.parse(init.body) : null;
    const signal = init.signal ?? new AbortController().signal;
    const left = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    return Promise.race([respond(init.method ?? "GET", url, { body, signal }), left]);
  };

  /** Upload that is half sent until its answer is there. */
  window.XMLHttpRequest = class extends XMLHttpRequest {
    #target: [method: string, url: URL] = ["", new URL(location.href)];
    #isAborted = false;

    override open(method: string, url: string) {
      this.#target = [method, new URL(url, location.origin)];
      super.open(method, url);
    }

    override async send() {
      this.upload.dispatchEvent(new ProgressEvent("progress", { loaded: 1, total: 2 }));
      const { signal } = new AbortController();
      const response = await respond(...this.#target, { body: null, signal }).catch(() => null);
      if (this.#isAborted) return;
      if (!response) return this.#end("error");
      const responseText = await response.text();
      Object.defineProperties(this, {
        status: { value: response.status },
        responseText: { value: responseText },
      });
      this.#end("load");
    }

    override abort() {
      this.#isAborted = true;
      this.#end("abort");
    }

    #end(type: string) {
      this.dispatchEvent(new ProgressEvent(type));
      this.dispatchEvent(new ProgressEvent("loadend"));
    }
  };
}
