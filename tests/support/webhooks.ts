// Rows of a tenant's webhooks, and a receiver for them, for tests on the real database.
import { randomBytes } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { EndpointDraft } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";

export const endpointDraft: EndpointDraft = {
  name: "配送平台",
  url: "https://callback.example.com/cabinet",
  types: ["order.stored", "order.completed", "malfunction.created"],
  appId: null,
};

/**
 * Inserts a row into each table: an endpoint with a dead delivery, a paused one, an application.
 */
export async function insertWebhooks(
  db: Db,
  { tenantId, orderId, mark }: { tenantId: number; orderId: number; mark: string },
): Promise<
  Record<"callbackId" | "pausedCallbackId" | "callbackDeliveryId" | "callbackAppId", number>
> {
  const code = `app_${randomBytes(8).toString("hex")}`;
  const { callbackAppId } = await db.one<{ callbackAppId: number }>(sql`
    insert into open_app (tenant_id, code, name, scopes, edited_by)
    values (${tenantId}, ${code}, ${`配送 ${mark}`}, '{order:read}', '李伟')
    returning id as callback_app_id`);
  const [used, paused] = await db.many<{ id: number }>(sql`
    insert into callback_endpoint (tenant_id, name, url, types, state, app_id, created_by, edited_by)
    select ${tenantId}, name, 'https://callback.example.com/' || state, '{order.stored}', state,
      ${callbackAppId}, '李伟', '李伟'
    from (values (${`地址 ${mark}`}, 'ENABLED'), (${`停 ${mark}`}, 'DISABLED')) given (name, state)
    returning id`);
  const [callbackId = 0, pausedCallbackId = 0] = [used?.id, paused?.id];
  await db.run(sql`
    insert into callback_secret (tenant_id, endpoint_id, sealed, hint)
    values (${tenantId}, ${callbackId}, '\\x00', 'abcd')`);
  await db.run(sql`
    insert into callback_sequence (tenant_id, app_id, last_seq) values (${tenantId}, 0, 1000)
    on conflict do nothing`);
  const { callbackDeliveryId } = await db.one<{ callbackDeliveryId: number }>(sql`
    with event as (
      insert into callback_event (tenant_id, type, key, order_id, data, seq)
      values (${tenantId}, 'order.stored', ${mark}, ${orderId},
        ${JSON.stringify({ orderId, thirdPartyNo: mark, state: "STORED" })}, (
          select 1 + count(*) from callback_event where tenant_id = ${tenantId}))
      returning id
    )
    insert into callback_delivery (tenant_id, endpoint_id, event_id, state, attempts, failures,
      next_at, ended_at, last_outcome)
    select ${tenantId}, ${callbackId}, id, 'DEAD', 1, 1, null, now(), 'TIMEOUT' from event
    returning id as callback_delivery_id`);
  await db.run(sql`
    insert into callback_attempt (tenant_id, delivery_id, no, round, url, outcome)
    values (${tenantId}, ${callbackDeliveryId}, 1, 1, ${`https://callback.example.com/${mark}`},
      'TIMEOUT')`);
  return { callbackId, pausedCallbackId, callbackDeliveryId, callbackAppId };
}

export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

type Answer = (response: ServerResponse, received: Received) => void;

/** Polls until the predicate holds; only the test's own timeout ends it. */
export async function until<Thing>(look: () => Promise<Thing>, isThere: (thing: Thing) => boolean) {
  for (;;) {
    const thing = await look();
    if (isThere(thing)) return thing;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Receiver on loopback that records requests; `answer` can be replaced. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = (response) => response.writeHead(204).end();
  readonly #server: Server;
  #waiting: (() => void)[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { headers } = request;
        const body = Buffer.concat(chunks).toString();
        const received = { id: String(headers["webhook-id"]), headers, body, at: Date.now() };
        this.received.push(received);
        this.answer(response, received);
        for (const look of this.#waiting) look();
      });
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/callback`;
  }

  /** Waits until the predicate holds; only the test's own timeout ends it. */
  async until(isThere: (received: readonly Received[]) => boolean): Promise<void> {
    if (isThere(this.received)) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isThere(this.received)) return;
        this.#waiting = this.#waiting.filter((other) => other !== look);
        resolve();
      };
      this.#waiting.push(look);
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
