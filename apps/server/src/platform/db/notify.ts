// Notifications between processes over PostgreSQL (LISTEN/NOTIFY), sent within a transaction.
import type pg from "pg";
import type { Log } from "../log.ts";
import type { Db } from "./db.ts";
import { makeClient } from "./postgres-client.ts";
import { sql } from "./sql.ts";

const CHANNELS = [
  "live",
  "session",
  "command",
  "config",
  "secret",
  "job",
  "export",
  "callback",
] as const;
export type Channel = (typeof CHANNELS)[number];

/** Delivered when the transaction commits, and not at all when it rolls back. */
export async function notify(db: Db, channel: Channel, payload: unknown): Promise<void> {
  await db.run(sql`select pg_notify(${channel}, ${JSON.stringify(payload)})`);
}

/** Like `notify`, for many payloads. */
export async function notifyAll(
  db: Db,
  channel: Channel,
  payloads: readonly unknown[],
): Promise<void> {
  if (payloads.length === 0) return;
  const texts = payloads.map((payload) => JSON.stringify(payload));
  await db.run(sql`select pg_notify(${channel}, text) from unnest(${texts}::text[]) text`);
}

const RECONNECT_MS = 1000;
/** Keepalive query: a listener sends nothing by itself and would not detect a dead server. */
const LOOK_EVERY_MS = 3_000;
/** With the interval below ten seconds: notifications that were sent meanwhile are lost. */
const LISTENER_ANSWERS_WITHIN_MS = 5_000;

interface ListenerOptions {
  lookEveryMs?: number;
  answerWithinMs?: number | undefined;
}

/** Listens on a connection of its own; reconnects by itself and then calls `onReconnect`. */
export class Listener {
  readonly #url: string;
  readonly #log: Log;
  readonly #lookEveryMs: number;
  readonly #answerWithinMs: number;
  readonly #handlers = new Map<Channel, Set<(payload: unknown) => void>>();
  readonly #reconnected = new Set<() => void>();
  #client: pg.Client | null = null;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, log: Log, options: ListenerOptions = {}) {
    this.#url = url;
    this.#log = log;
    this.#lookEveryMs = options.lookEveryMs ?? LOOK_EVERY_MS;
    this.#answerWithinMs = options.answerWithinMs ?? LISTENER_ANSWERS_WITHIN_MS;
  }

  /** Returns a function that removes the handler. */
  on(channel: Channel, handler: (payload: unknown) => void): () => void {
    let handlers = this.#handlers.get(channel);
    if (!handlers) {
      handlers = new Set();
      this.#handlers.set(channel, handlers);
    }
    handlers.add(handler);
    return () => handlers.delete(handler);
  }

  /** Notifications sent while the connection was down are lost; the handler catches up here. */
  onReconnect(handler: () => void): void {
    this.#reconnected.add(handler);
  }

  async start(): Promise<void> {
    const client = makeClient({
      url: this.#url,
      purpose: "notices",
      answerWithinMs: this.#answerWithinMs,
    });
    client.on("error", (error) => this.#lost(client, error));
    client.on("end", () => this.#lost(client, new Error("connection ended")));
    client.on("notification", ({ channel, payload }) => {
      const value: unknown = JSON.parse(payload ?? "null");
      for (const handler of this.#handlers.get(channel as Channel) ?? []) handler(value);
    });
    try {
      await client.connect();
      for (const channel of CHANNELS) await client.query(`listen ${channel}`);
    } catch (error) {
      // Late messages of this connection must not reach the handlers beside those of the next one.
      client.connection.stream.destroy();
      throw error;
    }
    if (this.#isClosed) return client.end();
    this.#client = client;
    this.#timer = setTimeout(() => this.#look(client), this.#lookEveryMs);
  }

  /** Checks that the server still answers. */
  #look(client: pg.Client): void {
    client.query("select 1").then(
      () => {
        if (this.#isClosed || this.#client !== client) return;
        this.#timer = setTimeout(() => this.#look(client), this.#lookEveryMs);
      },
      (error: Error) => {
        this.#lost(client, error);
        client.connection.stream.destroy();
      },
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#client?.end();
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#isClosed || this.#client !== client) return;
    this.#client = null;
    clearTimeout(this.#timer);
    this.#log.warn({ why: error.message }, "listener lost its connection");
    this.#retry();
  }

  #retry(): void {
    this.#timer = setTimeout(() => {
      this.start().then(
        () => {
          for (const handler of this.#reconnected) handler();
        },
        () => this.#retry(),
      );
    }, RECONNECT_MS);
  }
}
