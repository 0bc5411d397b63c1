// The only place that opens connections to PostgreSQL, so that all of them detect a dead server.
import net, { type Socket } from "node:net";
import pg from "pg";
import { connectionsLost } from "../metrics.ts";
import { CONNECTION_LOST, codeOf } from "./sql-state.ts";

const CONNECT_WITHIN_MS = 5_000;
/**
 * Longer than the statement timeout of every pool: a live server always answers first. Noticed a quarter later at worst,
 * which leaves time to answer a client that waits for ten seconds (promise O3).
 */
const ANSWER_WITHIN_MS = 7_000;
/** Without a statement timeout, for migrations and backups: only the kernel's keepalive ends them sooner. */
export const LONG_ANSWER_MS = 3_600_000;
/** TCP keepalive: first probe after this idle time, then every second; ten lost probes end the connection. */
const KEEPALIVE_AFTER_MS = 5_000;
/**
 * A connection has planned each of its statements six times before it is fast: it is kept through the pauses between
 * bursts, and no caller finds it ended by the server, which ends a session that is silent for longer than two pings.
 */
const IDLE_MS = 60_000;
export const PING_MS = 10_000;
/** Code of CancelRequest in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;
/** A query that cannot be cancelled in this time ends by its own timeout. */
const CANCEL_WITHIN_MS = 2_000;
/** The silence timeout is split into this many parts: a machine suspended for longer than all of them counts one. */
const SILENT_PARTS = 4;

/** The database cannot be reached, has gone silent, or had no connection free in time. */
export class NoConnection extends Error {
  readonly code = "NO_CONNECTION";
}

/** No byte arrived while a query waited: the server or the network is gone without a FIN. */
class ServerSilent extends NoConnection {}

export const isOutage = (error: unknown): error is NoConnection => error instanceof NoConnection;

/** Converts errors of the driver and the server that mean a lost connection to `NoConnection`. */
export function asOutage(error: unknown): unknown {
  if (isOutage(error)) return error;
  const code = codeOf(error);
  const { message = "" } = (error ?? {}) as { message?: string };
  const isLost =
    error instanceof pg.DatabaseError
      ? CONNECTION_LOST.test(code)
      : /^(?:ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET|ENOTFOUND$|EAI_)/.test(code) ||
        /^Connection terminated|not queryable$|^timeout exceeded when trying to connect$/.test(
          message,
        );
  return isLost ? noConnection(error) : error;
}

function noConnection(cause: unknown): NoConnection {
  const { code, message } = cause as { code?: string; message?: string };
  return new NoConnection(message || code, { cause });
}

export interface Use {
  url: string;
  /** Purpose of the connection, shown in pg_stat_activity. */
  purpose: string;
  answerWithinMs?: number | undefined;
  /** Server settings of each session, as `-c name=value`. */
  settings?: string;
}

interface ClientOptions extends pg.ClientConfig {
  answerWithinMs?: number;
}

function optionsOf({
  url,
  purpose,
  settings,
  answerWithinMs = ANSWER_WITHIN_MS,
}: Use): ClientOptions {
  return {
    connectionString: url,
    application_name: `smart-storage ${purpose}`,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    ...(settings && { options: settings }),
    answerWithinMs,
  };
}

/** Facts about the connection's process at the server, absent from the driver's types. */
interface ServerSide {
  /** False from when a query is sent until it is answered. */
  readyForQuery: boolean;
  processID: number;
  secretKey: number;
  host: string;
  port: number;
}

/**
 * Destroys its connection when the server has sent nothing for `answerWithinMs` while a query waits. The driver's
 * `query_timeout` counts from queueing, so pipelined queries would time out behind slow but live ones, and it leaves
 * the broken connection to the next query.
 */
class WatchedClient extends pg.Client {
  readonly #answerWithinMs: number;
  #heardBytes = 0;
  #silentParts = 0;

  constructor(options: ClientOptions = {}) {
    super(options);
    this.#answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS;
    this.once("connect", () => this.#watch());
  }

  /** Sets how long the server may be silent from now on; without an argument the default. */
  expectAnswers(withinMs = this.#answerWithinMs): void {
    streamOf(this).setTimeout(withinMs / SILENT_PARTS);
  }

  /**
   * Cancels the query in flight, through a connection of its own as the protocol demands; never throws. Resolves when
   * the server has closed that connection: it signals the query's process before.
   */
  async cancelQuery(): Promise<void> {
    const { readyForQuery, processID, secretKey, host, port } = this as unknown as ServerSide;
    if (readyForQuery) return;
    const socket = host.startsWith("/")
      ? net.connect(`${host}/.s.PGSQL.${port}`)
      : net.connect(port, host);
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => {});
    socket.setTimeout(CANCEL_WITHIN_MS, () => socket.destroy());
    const message = Buffer.alloc(16);
    for (const [at, value] of [message.length, CANCEL_REQUEST, processID, secretKey].entries()) {
      message.writeInt32BE(value, at * 4);
    }
    socket.resume().write(message);
    await closed;
  }

  #watch(): void {
    const stream = streamOf(this);
    this.expectAnswers();
    stream.on("timeout", () => {
      const { readyForQuery } = this as unknown as ServerSide;
      const isHeard = stream.bytesRead !== this.#heardBytes;
      this.#heardBytes = stream.bytesRead;
      this.#silentParts = isHeard || readyForQuery ? 0 : this.#silentParts + 1;
      if (readyForQuery) return; // the next query starts the timer again
      const partMs = stream.timeout ?? 0;
      if (this.#silentParts < SILENT_PARTS) stream.setTimeout(partMs);
      else stream.destroy(new ServerSilent(`no answer within ${(partMs * SILENT_PARTS) / 1000} s`));
    });
  }
}

export function expectAnswers(client: pg.ClientBase, withinMs?: number): void {
  (client as WatchedClient).expectAnswers(withinMs);
}

/** Opens a single connection; its errors without a query in flight are left to `error` listeners. */
export async function connectClient(use: Use): Promise<pg.Client> {
  const client = makeClient(use);
  client.on("error", () => {}); // a lost connection already rejects the query it interrupts
  await client.connect();
  return client;
}

export function makeClient(use: Use): pg.Client {
  return new WatchedClient(optionsOf(use));
}

export interface PoolUse extends Use {
  max: number;
  settings: string;
  connectWithinMs?: number | undefined;
  /** How often an idle connection tells the server that its process is there. */
  pingMs?: number;
  onError(error: Error): void;
}

export function openPool(options: PoolUse): pg.Pool {
  const { max, connectWithinMs, pingMs = PING_MS, onError, ...use } = options;
  const pool = new pg.Pool({
    ...optionsOf(use),
    ...(connectWithinMs && { connectionTimeoutMillis: connectWithinMs }),
    Client: WatchedClient,
    max,
    idleTimeoutMillis: IDLE_MS,
    pipeline: true,
  });
  const idle = new Set<pg.PoolClient>();
  pool.on("acquire", (client) => void idle.delete(client));
  pool.on("release", (_error, client) => void idle.add(client));
  pool.on("remove", (client) => void idle.delete(client));
  const failed = (error: Error) => {
    // The cause of one silent connection affects idle ones too: otherwise each would cost a caller its own timeout.
    if (error instanceof ServerSilent) for (const client of [...idle]) discard(client);
    // Closing does not wait for the last connections, which the database then ends itself. The driver attaches its
    // whole client to an error: only the message is passed on.
    if (pool.ending) return;
    connectionsLost.inc();
    onError(new Error(error.message));
  };
  pool.on("error", failed);
  pool.on("connect", (client) => client.on("error", failed));
  const pings = setInterval(() => {
    if (pool.ending) clearInterval(pings);
    // A connection that fails here reports it as any idle one does.
    else for (const client of idle) client.query("").catch(() => {});
  }, pingMs);
  pings.unref();
  return pool;
}

function streamOf(client: pg.ClientBase): Socket {
  return (client as pg.Client).connection.stream as Socket;
}

/** Takes an idle connection out of its pool at once; the stream alone would report its end too late. */
function discard(idle: pg.PoolClient): void {
  streamOf(idle).destroy();
  idle.emit("error", new NoConnection("discarded beside a silent connection"));
}

export function cancelQuery(client: pg.ClientBase): Promise<void> {
  return (client as WatchedClient).cancelQuery();
}

/** Waits for a free connection of the pool, or a new one. */
export async function checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw pool.ending ? error : noConnection(error);
  }
}
