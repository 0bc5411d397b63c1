// Database access: one pool, tenant-scoped transactions, prepared statements.
import { createHash } from "node:crypto";
import type { Load } from "@cabinet/contract/kit/endpoint.ts";
import pg from "pg";
import sql, { type Sql } from "sql-template-tag";
import type { Press } from "../press.gate.ts";
import type { Vault } from "../secrets.ts";
import { tracedStatement } from "../tracing.ts";
import { type Caller, Connections } from "./connections.ts";
import { LongLists } from "./long-lists.cache.ts";
import { CallerGone } from "./places.ts";
import { asOutage, cancelQuery, expectAnswers, NoConnection, PING_MS } from "./postgres-client.ts";
import {
  codeOf,
  DEADLOCK_DETECTED,
  NOT_SUPPORTED,
  READ_ONLY,
  SERIALIZATION_FAILURE,
} from "./sql-state.ts";

/** int8 as number: ids and fen stay below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// OID of int8[], which the driver's list of types does not name.
const int8s: number = 1016;
const textsOf: (text: string) => string[] = pg.types.getTypeParser(int8s);
pg.types.setTypeParser(int8s, (text: string) => textsOf(text).map(Number));
/**
 * Timestamps leave the database in the format of the API. Null for infinity and for times that JavaScript cannot
 * represent: the parser must not throw, because one such row would fail every list that contains it.
 */
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
});

const keys = new Map<string, string>();

function keyOf(column: string): string {
  let key = keys.get(column);
  if (key === undefined) {
    key = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    keys.set(column, key);
  }
  return key;
}

/** Rows get camelCase keys: renames the columns of each result once, before the driver reads its first row. */
export function nameKeysInCamelCase(client: pg.ClientBase): void {
  const rename = ({ fields }: { fields: pg.FieldDef[] }) => {
    for (const field of fields) field.name = keyOf(field.name);
  };
  (client as pg.Client).connection.prependListener("rowDescription", rename);
}

/** Source of a list's rows in batches, independent of the requested page. */
export interface PageSource {
  next<Row>(list: { rows: Sql; matching: Sql }): Promise<{ list: Row[]; total: number }>;
}

/** The handle of one open transaction. */
export interface Db {
  /** Lists of the same database and scope that had more rows than are counted; absent outside a scope. */
  longLists?: Pick<LongLists, "has" | "add">;
  /** Set while an export reads a list: its pages come one after another, see page.ts. */
  pages?: PageSource;
  /** Seals the secrets that this database keeps. */
  readonly vault: Vault;
  /** Press behind the call; null: the call is not `pressed`; absent: the server's own work. */
  readonly press?: Press | null | undefined;
  readonly noteReplay?: Caller["noteReplay"];
  many<Row>(query: Sql): Promise<Row[]>;
  /** The first row, or null. */
  maybe<Row>(query: Sql): Promise<Row | null>;
  /** Exactly one row; none is a bug. */
  one<Row>(query: Sql): Promise<Row>;
  /** Returns the number of affected rows. */
  run(query: Sql): Promise<number>;
  /** Confines the rest of a platform transaction to the tenant that a first read has found. */
  narrow(tenantId: number): Promise<void>;
}

/** Rows that a transaction may see: one tenant's, or all for the platform. */
export type Scope = { tenantId: number } | "platform";

/** Lost a race: the transaction is retried and then sees the other's changes. */
export class LostRace extends Error {
  readonly code = SERIALIZATION_FAILURE;
}

/** Missed its deadline: rolled back, because the caller has given up. */
class TooLate extends Error {
  readonly code = "TOO_LATE";
}

const WRITE = "read write";
const READ = "read only";
const LONG_READ = "isolation level repeatable read read only";
type Mode = typeof WRITE | typeof READ | typeof LONG_READ;

const MAX_ATTEMPTS = 3;
const SNAPSHOT_STATEMENT_MS = 60_000;
const SNAPSHOT_ANSWER_MS = SNAPSHOT_STATEMENT_MS + 5_000;
/** An export writes each page elsewhere before it reads the next one; a snapshot locks no row meanwhile. */
const SNAPSHOT_IDLE_MS = 15_000;
/**
 * A process that is stopped inside a transaction (SIGSTOP, a paused machine, swap) keeps its row locks until the server ends
 * the session. Below `lock_timeout`, so that callers who wait behind it are served and not refused.
 */
export const STALLED_MS = 2_500;
// Deadlines nest (promise O3): client 10 s > handler 8 s > statement 5 s. The pool pings idle connections: a session that
// is silent for longer has lost its process, and would keep its place in max_connections for two hours.
const TENANT_ROLE = "cabinet_tenant";
const SETTINGS = `-c role=${TENANT_ROLE} -c statement_timeout=5000 -c lock_timeout=3000 -c idle_in_transaction_session_timeout=${STALLED_MS} -c idle_session_timeout=${2 * PING_MS}`;
const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = createHash("sha1").update(text).digest("base64url");
    statementNames.set(text, name);
  }
  return name;
}

/**
 * A write at a server that takes none: after a failover the connection still leads to the former primary, and a new
 * one may lead to the present one.
 */
class Demoted extends NoConnection {}

const asDemoted = (error: unknown) => new Demoted((error as Error).message, { cause: error });

/** Corks the socket: queries of one event-loop turn leave in one write. */
function send<Row extends pg.QueryResultRow>(
  client: pg.Client,
  query: string | pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const { stream } = client.connection;
  stream.cork();
  setImmediate(() => stream.uncork());
  return client.query<Row>(query).catch((error: unknown) => {
    throw asOutage(error);
  });
}

/** Work in a transaction; `rows` are those of the statement in front of it. */
type Work<Result> = (db: Db, rows: Promise<unknown[]>) => Promise<Result>;

const noRows = Promise.resolve([]);

interface ReadOptions {
  /**
   * Statement in front of the transaction and outside of its scope, in the same round trip: `work` gets its rows as a
   * promise.
   */
  first?: Sql;
  /**
   * One plan serves all values, as where rows are found by key. PostgreSQL would plan anew in five executions on each
   * connection, by key in all of them: it prunes months of orders in a generic plan too, but counts the costs of all.
   */
  keepsPlan?: boolean;
}

/** Progress of a transaction while its work runs. */
interface SnapshotState {
  isOver: boolean;
  failure?: unknown;
}

/** Statements of one client, as a transaction's work sees them. */
export function handleOf(
  client: pg.Client,
  database: Pick<Db, "vault" | "press" | "noteReplay">,
  state: SnapshotState = { isOver: false },
  longLists?: Db["longLists"],
): Db {
  async function execute<Row>(query: Sql): Promise<{ rows: Row[]; rowCount: number | null }> {
    // Work that continues after a failure must not reach the connection's next user.
    if (state.isOver) throw new Error("the transaction is over");
    const text = query.text;
    try {
      return await tracedStatement(text, () =>
        send<Row & pg.QueryResultRow>(client, {
          name: statementName(text),
          text,
          values: query.values,
        }),
      );
    } catch (error) {
      // Pipelined queries after a failed one fail with 25P02; rethrow the first error, their cause.
      state.failure ??= error;
      throw state.failure;
    }
  }
  return {
    ...(longLists && { longLists }),
    press: database.press,
    noteReplay: database.noteReplay,
    get vault() {
      return database.vault;
    },
    many: async <Row>(query: Sql) => (await execute<Row>(query)).rows,
    maybe: async <Row>(query: Sql) => (await execute<Row>(query)).rows[0] ?? null,
    one: async <Row>(query: Sql) => {
      const [row] = (await execute<Row>(query)).rows;
      if (row === undefined) throw new Error(`no row: ${query.text.slice(0, 120)}`);
      return row;
    },
    run: async (query: Sql) => (await execute(query)).rowCount ?? 0,
    async narrow(tenantId: number) {
      await execute(sql`
        select set_config('role', ${TENANT_ROLE}, true),
          set_config('app.tenant_id', ${String(tenantId)}, true)`);
    },
  };
}

/** `longLists` as one scope uses them: row-level security may show another scope fewer rows. */
function longListsOf(lists: LongLists, scope: Scope): Db["longLists"] {
  const keyOf = (list: string) => `${scope === "platform" ? scope : scope.tenantId} ${list}`;
  return { has: (list) => lists.has(keyOf(list)), add: (list) => lists.add(keyOf(list)) };
}

interface DatabaseOptions {
  /** Only tools that read and write no sealed value do without. */
  vault?: Vault;
  /** Number of connections. */
  max?: number;
  patienceMs?: number;
  answerWithinMs?: number;
  onError?: (error: Error) => void;
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const connections = new Connections({
    url,
    purpose: "requests",
    max: options.max ?? 12,
    answerWithinMs: options.answerWithinMs,
    connectWithinMs: options.patienceMs,
    settings: SETTINGS,
    onError: options.onError ?? (() => {}),
  });
  connections.pool.on("connect", nameKeysInCamelCase);
  return new Database(connections, options.vault);
}

/** The database as one caller uses it; without a caller, as the server's own work does. */
export class Database {
  readonly #connections: Connections;
  readonly #vault: Vault | undefined;
  readonly #caller: Caller | undefined;
  readonly #longLists: LongLists;

  constructor(
    connections: Connections,
    vault: Vault | undefined,
    { caller, longLists = new LongLists() }: { caller?: Caller; longLists?: LongLists } = {},
  ) {
    this.#connections = connections;
    this.#vault = vault;
    this.#caller = caller;
    this.#longLists = longLists;
  }

  /** The same database, from the share of `caller`. */
  for(caller: Caller): Database {
    return new Database(this.#connections, this.#vault, { caller, longLists: this.#longLists });
  }

  get press(): Press | null | undefined {
    return this.#caller?.press;
  }

  get noteReplay(): Caller["noteReplay"] {
    return this.#caller?.noteReplay;
  }

  get pool(): pg.Pool {
    return this.#connections.pool;
  }

  /** True if the database's disk was full a moment ago. */
  get isDiskFull(): boolean {
    return this.#connections.isDiskFull;
  }

  get vault(): Vault {
    if (!this.#vault) throw new Error("database opened without a vault");
    return this.#vault;
  }

  /**
   * Runs `work` in one transaction scoped to `scope`. It is retried after a deadlock or
   * serialization failure, so it must have no side effects outside the database. Past `untilMs` (of
   * `performance.now()`) it is rolled back: no door may open for a caller who has given up.
   */
  async transaction<Result>(
    scope: Scope,
    work: (db: Db) => Promise<Result>,
    untilMs = Number.POSITIVE_INFINITY,
  ): Promise<Result> {
    const workInTime = async (db: Db) => {
      const result = await work(db);
      if (performance.now() > untilMs) throw new TooLate("done too late");
      return result;
    };
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(scope, WRITE, workInTime);
      } catch (error) {
        const isRepeated = [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(codeOf(error));
        if (!isRepeated || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** Like `transaction`, for work that only reads. */
  read<Result>(scope: Scope, work: Work<Result>, options?: ReadOptions): Promise<Result> {
    return this.#attempt(scope, READ, work, options);
  }

  /** Like `read`, in one repeatable-read snapshot with longer statements, for background work. */
  snapshot<Result>(scope: Scope, work: (db: Db) => Promise<Result>): Promise<Result> {
    return this.#attempt(scope, LONG_READ, async (db) => {
      await db.run(
        sql`select set_config('statement_timeout', ${String(SNAPSHOT_STATEMENT_MS)}, true),
          set_config('idle_in_transaction_session_timeout', ${String(SNAPSHOT_IDLE_MS)}, true)`,
      );
      return work(db);
    });
  }

  /** One statement outside a tenant's scope; row-level security then shows no tenant's rows. */
  unscoped<Row>(query: Sql): Promise<Row[]> {
    return this.#connections.use(this.#callerFor("platform"), async (client) => {
      let demoted: Demoted | undefined;
      try {
        return await handleOf(client, this).many<Row>(query);
      } catch (error) {
        if (codeOf(error) === READ_ONLY) demoted = asDemoted(error);
        throw demoted ?? error;
      } finally {
        client.release(demoted);
      }
    });
  }

  #callerFor(scope: Scope, load: Load = "critical"): Caller {
    if (this.#caller) return this.#caller;
    const tenant = scope === "platform" ? scope : `work of ${scope.tenantId}`;
    return { share: { load, tenant, account: "", isBounded: false } };
  }

  #attempt<Result>(
    scope: Scope,
    mode: Mode,
    work: Work<Result>,
    options?: ReadOptions,
  ): Promise<Result> {
    const caller = this.#callerFor(scope, mode === LONG_READ ? "heavy" : "critical");
    // A write is finished: its caller may repeat it and must find the result.
    const signal = mode === READ ? caller.signal : undefined;
    return this.#connections.use(caller, async (client) => {
      let cancelled: Promise<void> | undefined;
      let broken: Error | undefined;
      const cancel = () => {
        cancelled = cancelQuery(client);
      };
      const rollBack = async () => {
        // Sooner, the cancellation would end the connection's next query.
        await cancelled;
        await client.query("rollback").catch((error: Error) => {
          broken = error;
        });
      };
      signal?.addEventListener("abort", cancel, { once: true });
      if (mode === LONG_READ) expectAnswers(client, SNAPSHOT_ANSWER_MS);
      try {
        const result = await this.#transact(client, scope, mode, work, options);
        // A late cancellation may hit the COMMIT of a read, which nobody awaits.
        if (cancelled) await rollBack();
        return result;
      } catch (error) {
        await rollBack();
        if (error instanceof Demoted) broken ??= error;
        throw signal?.aborted ? new CallerGone() : error;
      } finally {
        signal?.removeEventListener("abort", cancel);
        if (mode === LONG_READ) expectAnswers(client);
        client.release(broken);
      }
    });
  }

  async #transact<Result>(
    client: pg.Client,
    scope: Scope,
    mode: Mode,
    work: Work<Result>,
    { first, keepsPlan = false }: ReadOptions = {},
  ): Promise<Result> {
    const state: SnapshotState = { isOver: false };
    try {
      const rows = first ? this.#runFirst(client, first) : noRows;
      // Pipelined: the statements of `work` follow in the same round trip.
      const opened = Promise.all([
        send(client, `begin ${mode}`).catch((error) => {
          throw codeOf(error) === NOT_SUPPORTED ? asDemoted(error) : error;
        }),
        send(client, {
          name: "scope",
          text: "select set_config('role', $1, true), set_config('app.tenant_id', $2, true), set_config('plan_cache_mode', $3, true)",
          values: [
            ...(scope === "platform"
              ? ["cabinet_platform", ""]
              : [TENANT_ROLE, String(scope.tenantId)]),
            keepsPlan ? "force_generic_plan" : "auto",
          ],
        }),
      ]);
      opened.catch(() => {});
      // Without a transaction the statements of `work` fail too, and less clearly.
      const db = handleOf(client, this, state, longListsOf(this.#longLists, scope));
      const result = await work(db, rows).catch(async (error) => {
        await opened;
        throw error;
      });
      await opened;
      state.isOver = true;
      const ended = send(client, "commit");
      // A read need not await its COMMIT: the connection's next user queues behind it.
      if (mode !== WRITE) ended.catch(() => {});
      // A failed transaction answers COMMIT with ROLLBACK and no error.
      else if ((await ended).command !== "COMMIT") throw new Error("transaction aborted");
      return result;
    } finally {
      state.isOver = true;
    }
  }

  #runFirst(client: pg.Client, statement: Sql): Promise<unknown[]> {
    const rows = handleOf(client, this)
      .many(statement)
      .catch((error) => {
        throw codeOf(error) === READ_ONLY ? asDemoted(error) : error;
      });
    rows.catch(() => {});
    return rows;
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}
