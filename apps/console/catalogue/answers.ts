// Answers the console's requests in the browser: the catalogue has no server.
import { type EndpointSpec, type Reply, urlPath } from "@cabinet/contract/kit/endpoint.ts";

interface ReceivedRequest {
  query: Readonly<Record<string, string>>;
  body: unknown;
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
export const never = () => new Promise<never>(() => {});

/** Replies when the page gets an event `release`: `dispatchEvent(new Event("release"))`. */
export const held = <Data>(data: Data) =>
  new Promise<Data>((resolve) => {
    addEventListener("release", () => resolve(data), { once: true });
  });

/** Replaces fetch and XMLHttpRequest for paths below `/api`; logs each request to the console. */
export function answerRequests(answers: readonly Answer[]): void {
  const respond = async (method: string, url: URL, body: unknown): Promise<Response> => {
    console.debug(`${method} ${url.pathname}${url.search}`);
    const found = answers.find((one) => one.method === method && one.path.test(url.pathname));
    if (!found) return failed(404);
    const reply = await found.reply({ query: Object.fromEntries(url.searchParams), body });
    return reply instanceof Response ? reply : Response.json({ code: 0, data: reply, errMsg: "" });
  };

  const { fetch } = window;
  window.fetch = (input, init = {}) => {
    const url = new URL(String(input), location.origin);
    if (!url.pathname.startsWith("/api/")) return fetch(input, init);
    const body = typeof init.body === "string" ? JSON.parse(init.body) : null;
    return respond(init.method ?? "GET", url, body);
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
      const response = await respond(...this.#target, null);
      if (this.#isAborted) return;
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
