// Database access: one pool, tenant-scoped transactions, prepared statements.
import { createHash } from "node:crypto";
import pg from "pg";
import sql, { type Sql } from "sql-template-tag";
import { observePool } from "../metrics.ts";
import type { Vault } from "../secrets.ts";
import { asOutage, checkOut, expectAnswers, openPool } from "./postgres-client.ts";
import { codeOf, DEADLOCK_DETECTED, SERIALIZATION_FAILURE } from "./sql-state.ts";

/** int8 as number: ids and fen stay below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// OID of int8[], which the driver's list of types does not name.
const int8s: number = 1016;
const textsOf: (text: string) => string[] = pg.types.getTypeParser(int8s);
pg.types.setTypeParser(int8s, (text: string) => textsOf(text).map(Number));
/** Timestamps leave the database in the format of the API. */
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());

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
  /** Set while an export reads a list: its pages come one after another, see page.ts. */
  pages?: PageSource;
  /** Seals the secrets that this database keeps. */
  readonly vault: Vault;
  many<Row>(query: Sql): Promise<Row[]>;
  /** The first row, or null. */
  maybe<Row>(query: Sql): Promise<Row | null>;
  /** Exactly one row; none is a bug. */
  one<Row>(query: Sql): Promise<Row>;
  /** Returns the number of affected rows. */
  run(query: Sql): Promise<number>;
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

const MAX_ATTEMPTS = 3;
const SNAPSHOT_STATEMENT_MS = 60_000;
const SNAPSHOT_ANSWER_MS = SNAPSHOT_STATEMENT_MS + 5_000;
// Deadlines nest (promise O3): client 10 s > handler 8 s > statement 5 s.
const SETTINGS =
  "-c role=cabinet_tenant -c statement_timeout=5000 -c lock_timeout=3000 -c idle_in_transaction_session_timeout=15000";
const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = createHash("sha1").update(text).digest("base64url");
    statementNames.set(text, name);
  }
  return name;
}

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

/** Progress of a transaction while its work runs. */
interface SnapshotState {
  isOver: boolean;
  failure?: unknown;
}

/** Statements of one client, as a transaction's work sees them. */
export function handleOf(
  client: pg.Client,
  database: Pick<Db, "vault">,
  state: SnapshotState = { isOver: false },
): Db {
  async function execute<Row>(query: Sql): Promise<{ rows: Row[]; rowCount: number | null }> {
    // Work that continues after a failure must not reach the connection's next user.
    if (state.isOver) throw new Error("the transaction is over");
    const text = query.text;
    try {
      return await send<Row & pg.QueryResultRow>(client, {
        name: statementName(text),
        text,
        values: query.values,
      });
    } catch (error) {
      // Pipelined queries after a failed one fail with 25P02; rethrow the first error, their cause.
      state.failure ??= error;
      throw state.failure;
    }
  }
  return {
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
  };
}

export class Database {
  readonly pool: pg.Pool;
  readonly #vault: Vault | undefined;
  readonly #stopObserving: () => void;

  constructor(
    url: string,
    options: {
      /** Only tools that read and write no sealed value do without. */
      vault?: Vault;
      max?: number;
      patienceMs?: number;
      answerWithinMs?: number;
      onError?: (error: Error) => void;
    } = {},
  ) {
    this.#vault = options.vault;
    this.pool = openPool({
      url,
      purpose: "requests",
      max: options.max ?? 12,
      answerWithinMs: options.answerWithinMs,
      connectWithinMs: options.patienceMs,
      settings: SETTINGS,
      onError: options.onError ?? (() => {}),
    });
    this.pool.on("connect", nameKeysInCamelCase);
    this.#stopObserving = observePool(this.pool);
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
        return await this.#attempt(scope, "read write", workInTime);
      } catch (error) {
        const isRepeated = [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(codeOf(error));
        if (!isRepeated || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** Like `transaction`, for work that only reads. */
  read<Result>(scope: Scope, work: (db: Db) => Promise<Result>): Promise<Result> {
    return this.#attempt(scope, "read only", work);
  }

  /** Like `read`, in one repeatable-read snapshot with longer statements, for background work. */
  snapshot<Result>(scope: Scope, work: (db: Db) => Promise<Result>): Promise<Result> {
    return this.#attempt(scope, "isolation level repeatable read read only", async (db) => {
      await db.run(
        sql`select set_config('statement_timeout', ${String(SNAPSHOT_STATEMENT_MS)}, true)`,
      );
      return work(db);
    });
  }

  /** One statement outside a tenant's scope; row-level security then shows no tenant's rows. */
  async unscoped<Row>(query: Sql): Promise<Row[]> {
    const client = await checkOut(this.pool);
    try {
      return await handleOf(client, this).many<Row>(query);
    } finally {
      client.release();
    }
  }

  async #attempt<Result>(
    scope: Scope,
    mode: "read write" | "read only" | "isolation level repeatable read read only",
    work: (db: Db) => Promise<Result>,
  ): Promise<Result> {
    const client = await checkOut(this.pool);
    const isLong = mode === "isolation level repeatable read read only";
    if (isLong) expectAnswers(client, SNAPSHOT_ANSWER_MS);
    const state: SnapshotState = { isOver: false };
    let broken: Error | undefined;
    try {
      // Pipelined: the statements of `work` follow in the same round trip.
      const opened = Promise.all([
        send(client, `begin ${mode}`),
        send(client, {
          name: "scope",
          text: "select set_config('role', $1, true), set_config('app.tenant_id', $2, true)",
          values:
            scope === "platform"
              ? ["cabinet_platform", ""]
              : ["cabinet_tenant", String(scope.tenantId)],
        }),
      ]);
      opened.catch(() => {});
      const result = await work(handleOf(client, this, state));
      await opened;
      state.isOver = true;
      const ended = send(client, "commit");
      // A read need not await its COMMIT: the connection's next user queues behind it.
      if (mode !== "read write") ended.catch(() => {});
      // A failed transaction answers COMMIT with ROLLBACK and no error.
      else if ((await ended).command !== "COMMIT") throw new Error("transaction aborted");
      return result;
    } catch (error) {
      state.isOver = true;
      await client.query("rollback").catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
      if (isLong) expectAnswers(client);
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    this.#stopObserving();
    await this.pool.end();
  }
}
