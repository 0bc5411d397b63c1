// API servers in rotation, as behind a proxy, and people who read and write lists through them.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import {
  type EndpointSpec,
  type Input,
  type Reply,
  urlPath,
} from "@cabinet/contract/kit/endpoint.ts";
import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";

const CALLERS = 4;
const PAUSE_MS = 20;
const ANSWER_MS = 60_000;

interface Request {
  id?: number | string;
  query?: Record<string, string>;
  body?: object;
}

/** Each call goes to the next server. */
export class Rotation {
  /** Calls that were not answered with success. */
  readonly failures: string[] = [];
  readonly answered = new Map<string, number>();
  readonly #token: string;
  readonly #servers = new Map<string, { origin: string; inFlight: number }>();
  #next = 0;

  constructor(token: string) {
    this.#token = token;
  }

  add(name: string, origin: string): void {
    this.#servers.set(name, { origin, inFlight: 0 });
  }

  /** Takes the server out of rotation; resolves when it has answered everything. */
  async remove(name: string): Promise<void> {
    const server = this.#servers.get(name);
    this.#servers.delete(name);
    while (server && server.inFlight > 0) await sleep(10);
  }

  /** The server that came last. */
  newest(): string {
    return [...this.#servers.values()].at(-1)?.origin ?? "";
  }

  /** Resolves when each of these servers has answered this many calls more. */
  async untilAnswered(names: string[], calls: number): Promise<void> {
    const goals = names.map((name) => ({ name, goal: (this.answered.get(name) ?? 0) + calls }));
    while (goals.some(({ name, goal }) => (this.answered.get(name) ?? 0) < goal)) {
      if (this.failures.length > 0) return;
      await sleep(50);
    }
  }

  /** Throws when the call fails. */
  async request<Spec extends EndpointSpec>(spec: Spec, request: Request): Promise<Reply<Spec>> {
    const names = [...this.#servers.keys()];
    const name = names[this.#next++ % names.length] ?? "";
    const server = this.#servers.get(name);
    if (!server) throw new Error("no server is in rotation");
    server.inFlight++;
    try {
      const data = await this.#send(server.origin, spec, request);
      this.answered.set(name, (this.answered.get(name) ?? 0) + 1);
      return data as Reply<Spec>;
    } catch (error) {
      throw new Error(`${name}: ${spec.method} ${spec.path} ${(error as Error).message}`);
    } finally {
      server.inFlight--;
    }
  }

  /** Undefined when the call fails, which is recorded. */
  async call<Spec extends EndpointSpec>(
    spec: Spec,
    request: Request = {},
  ): Promise<Reply<Spec> | undefined> {
    return this.request(spec, request).catch((error: Error) => {
      this.failures.push(error.message);
      return undefined;
    });
  }

  async #send(origin: string, spec: EndpointSpec, { id, query, body }: Request): Promise<unknown> {
    const path = urlPath(spec).replace("{id}", String(id));
    const reply = await fetch(`${origin}${path}?${new URLSearchParams(query)}`, {
      method: spec.method,
      headers: {
        ...{ "auth-token": this.#token, tenantid: "1", "auth-id": "cupboard" },
        ...(body && { "content-type": "application/json", "idempotency-key": randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // A request without an answer fails the test instead of holding up its end.
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const answer = (await reply.json()) as { code: number; errMsg: string; data: unknown };
    if (reply.status !== 200 || answer.code !== 0) {
      throw new Error(`${reply.status} ${answer.errMsg}`);
    }
    return answer.data;
  }
}

const page = { page: "1", pageSize: "10" };
const calls: ((rotation: Rotation) => Promise<unknown>)[] = [
  (rotation) => rotation.call(tenancyContract.list, { query: page }),
  (rotation) => rotation.call(cabinetContract.list, { query: page }),
  (rotation) => rotation.call(orderContract.list, { query: { ...page, side: "SINGLE" } }),
  (rotation) => rotation.call(storeContract.list, { query: page }),
  (rotation) => rotation.call(faqContract.categories),
  (rotation) => {
    const body: Input<typeof faqContract.createCategory>["body"] = {
      ...{ name: randomUUID().slice(0, 12), audience: "END_USER" },
    };
    return rotation.call(faqContract.createCategory, { body });
  },
];

/** Starts people who read and write; returns how to end them. */
export function startCallers(rotation: Rotation): () => Promise<void> {
  let isStopped = false;
  let next = 0;
  const callOn = async () => {
    while (!isStopped) {
      await calls[next++ % calls.length]?.(rotation);
      await sleep(PAUSE_MS);
    }
  };
  const running = Promise.all(Array.from({ length: CALLERS }, callOn));
  return async () => {
    isStopped = true;
    await running;
  };
}
