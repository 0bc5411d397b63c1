// Client of the open API: signs requests and retries safe calls under one Idempotency-Key.
import { randomUUID } from "node:crypto";
import { authorize, newNonce } from "./signature.ts";
import type {
  AppFacts,
  Cabinet,
  CabinetPage,
  NewOrder,
  Opening,
  OpenPurpose,
  Order,
  OrderPage,
  OrderQuery,
  OrderState,
} from "./types.ts";

export interface ClientOptions {
  /** For example `https://cabinet.example.cn`. */
  origin: string;
  app: string;
  kid: string;
  secret: string;
  /** Attempts per call, the first included; default 4. */
  attempts?: number;
  /** Timeout of each attempt; default 10,000. */
  timeoutMs?: number;
  /** Pause before the first retry, doubled for each further one; default 500. */
  pauseMs?: number;
}

interface RefusedReply {
  errCode?: string;
  errMsg?: string;
  requestId?: string;
  param?: string;
  mistakes?: { param?: string; errMsg: string }[];
  scope?: string;
  resource?: string;
  docUrl?: string;
}

/** Refusal by the server with its message; `code` is stable, `requestId` helps to find the call. */
export class OpenApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  /** Field at fault. */
  readonly param: string | null;
  /** All fields at fault in a VALIDATION. */
  readonly mistakes: readonly { param?: string; errMsg: string }[];
  /** Permission that the application lacks. */
  readonly scope: string | null;
  /** Resource that a NOT_FOUND is about: `order`, `cabinet` or `opening`. */
  readonly resource: string | null;
  /** Explanation of the code, a path below the origin. */
  readonly docUrl: string | null;

  constructor(status: number, reply: RefusedReply) {
    super(reply.errMsg || `HTTP ${status}`);
    this.status = status;
    this.code = reply.errCode ?? "HTTP";
    this.requestId = reply.requestId ?? null;
    this.param = reply.param ?? null;
    this.mistakes = reply.mistakes ?? [];
    this.scope = reply.scope ?? null;
    this.resource = reply.resource ?? null;
    this.docUrl = reply.docUrl ?? null;
  }
}

/** Calls with the same key take effect once: pass your own key if another process may retry. */
export interface Once {
  idempotencyKey?: string;
  /**
   * When the person pressed, in Unix milliseconds of the server's clock (`x-server-time` of each answer): refused with
   * `PRESS_EXPIRED` more than 15 seconds later, retries included.
   */
  pressedAt?: number;
}

const isWorthRepeating = (status: number, code: string) =>
  status === 429 || status >= 500 || code === "REPEAT_IN_FLIGHT";

export class OpenApiClient {
  readonly #options: Required<ClientOptions>;

  constructor(options: ClientOptions) {
    this.#options = { attempts: 4, timeoutMs: 10_000, pauseMs: 500, ...options };
  }

  /** Returns the own application; use it to test the credentials. */
  whoAmI(): Promise<AppFacts> {
    return this.#get("/open/v1/app");
  }

  createOrder(order: NewOrder, once: Once = {}): Promise<Order> {
    return this.#post("/open/v1/order", order, once);
  }

  order(id: number): Promise<Order> {
    return this.#get(`/open/v1/order/${id}`);
  }

  orderByThirdPartyNo(thirdPartyNo: string): Promise<Order> {
    return this.#get("/open/v1/order/find", { thirdPartyNo });
  }

  orders(query: OrderQuery = {}): Promise<OrderPage> {
    return this.#get("/open/v1/order", query);
  }

  cancelOrder(id: number, once: Once = {}): Promise<{ state: OrderState }> {
    return this.#post(`/open/v1/order/${id}/cancel`, {}, once);
  }

  openDoor(id: number, purpose: OpenPurpose, once: Once = {}): Promise<Opening> {
    return this.#post(`/open/v1/order/${id}/open`, { purpose }, once);
  }

  resendCode(id: number, once: Once = {}): Promise<null> {
    return this.#post(`/open/v1/order/${id}/code`, {}, once);
  }

  opening(id: string): Promise<Opening> {
    return this.#get(`/open/v1/opening/${id}`);
  }

  cabinets(query: { after?: string; limit?: number } = {}): Promise<CabinetPage> {
    return this.#get("/open/v1/cabinet", query);
  }

  cabinet(sn: string): Promise<Cabinet> {
    return this.#get(`/open/v1/cabinet/${encodeURIComponent(sn)}`);
  }

  #get<Data>(path: string, query: object = {}): Promise<Data> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(
      given.map(([name, value]): [string, string] => [name, String(value)]),
    );
    return this.#call("GET", given.length > 0 ? `${path}?${search}` : path, "");
  }

  #post<Data>(path: string, body: object, once: Once): Promise<Data> {
    return this.#call("POST", path, JSON.stringify(body), {
      idempotencyKey: randomUUID(),
      ...once,
    });
  }

  async #call<Data>(method: string, path: string, body: string, once: Once = {}): Promise<Data> {
    const { attempts, pauseMs } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === attempts;
      let pause = pauseMs * 2 ** (attempt - 1) * (0.8 + Math.random() * 0.4);
      try {
        const response = await this.#send(method, path, body, once);
        const reply = await readReply(response);
        if (response.ok && reply.code === 0) return reply.data as Data;
        const error = new OpenApiError(response.status, reply);
        if (isLast || !isWorthRepeating(error.status, error.code)) throw error;
        // A proxy may send a date (NaN here): then only our own pause applies.
        const asked = Number(response.headers.get("retry-after") ?? 0) * 1000;
        if (Number.isFinite(asked)) pause = Math.max(pause, asked);
      } catch (error) {
        // No response: the server may have executed the call; the idempotency key makes a retry
        // safe.
        if (error instanceof OpenApiError || isLast) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Signs each attempt anew, because a nonce is accepted once. */
  #send(method: string, path: string, body: string, once: Once): Promise<Response> {
    const { idempotencyKey = "", pressedAt } = once;
    const { origin, app, kid, secret, timeoutMs } = this.#options;
    const url = new URL(path, origin);
    const contentType = body === "" ? "" : "application/json";
    const authorization = authorize(
      {
        method,
        host: url.host,
        target: url.pathname + url.search,
        contentType,
        idempotencyKey,
        body,
      },
      { app, kid, ts: Math.floor(Date.now() / 1000), nonce: newNonce() },
      secret,
    );
    return fetch(url, {
      method,
      headers: {
        authorization,
        ...(contentType && { "content-type": contentType }),
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
        ...(pressedAt !== undefined && { "x-pressed-at": String(pressedAt) }),
      },
      ...(body && { body }),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
  }
}

interface Envelope extends RefusedReply {
  code?: number;
  data?: unknown;
}

/** Parses the reply; a proxy in between may answer with something other than JSON. */
async function readReply(response: Response): Promise<Envelope> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return {};
  }
}
