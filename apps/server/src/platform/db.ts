// The database: one pool, transactions with their tenant, named statements.
import { createHash } from "node:crypto";
import pg from "pg";
import sql, { type Sql } from "sql-template-tag";
import { asOutage, checkOut, expectAnswers, openPool } from "./postgres-client.ts";

export { join, raw, type Sql } from "sql-template-tag";
export { sql };

/** int8 as number: ids and fen stay below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// The driver's list of types has no name for their arrays.
const int8s: number = 1016;
const textsOf: (text: string) => string[] = pg.types.getTypeParser(int8s);
pg.types.setTypeParser(int8s, (text: string) => textsOf(text).map(Number));
/** Timestamps leave the database as they go over the wire. */
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());

/** Gives the rows of a list in turns, whatever page is asked for. */
export interface PageSource {
  next<Row>(list: { rows: Sql; matching: Sql }): Promise<{ list: Row[]; total: number }>;
}

/** The handle of one open transaction. */
export interface Db {
  /** Where an export reads a list: its pages come one after another, see page.ts. */
  pages?: PageSource;
  many<Row>(query: Sql): Promise<Row[]>;
  /** The first row, or null. */
  maybe<Row>(query: Sql): Promise<Row | null>;
  /** Exactly one row; none is a bug. */
  one<Row>(query: Sql): Promise<Row>;
  /** Rows changed. */
  run(query: Sql): Promise<number>;
}

/** Whose rows a transaction may see: one tenant's, or, for the platform itself, all. */
export type Scope = { tenantId: number } | "platform";

export const UNIQUE_VIOLATION = "23505";
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";

/** Somebody else was first: the transaction runs again, and sees what they did. */
export class LostRace extends Error {
  readonly code = SERIALIZATION_FAILURE;
}

/** Nobody waits for it any more: it was undone instead of being done late. */
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

/** Corks the socket: queries of one turn of the event loop leave in one write. */
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

/** How a transaction goes while its work runs. */
interface Course {
  isOver: boolean;
  failure?: unknown;
}

/** Statements of one client, as a transaction's work sees them. */
export function handleOf(client: pg.Client, course: Course = { isOver: false }): Db {
  async function execute<Row>(query: Sql): Promise<{ rows: Row[]; rowCount: number | null }> {
    // Work that goes on beside a failure must not reach whoever has the connection next.
    if (course.isOver) throw new Error("the transaction is over");
    const text = query.text;
    try {
      return await send<Row & pg.QueryResultRow>(client, {
        name: statementName(text),
        text,
        values: query.values,
      });
    } catch (error) {
      // What was sent behind a failure fails for it alone: the first one says why.
      course.failure ??= error;
      throw course.failure;
    }
  }
  return {
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

  constructor(
    url: string,
    options: {
      max?: number;
      patienceMs?: number;
      answerWithinMs?: number;
      onError?: (error: Error) => void;
    } = {},
  ) {
    this.pool = openPool({
      url,
      purpose: "requests",
      max: options.max ?? 12,
      answerWithinMs: options.answerWithinMs,
      connectWithinMs: options.patienceMs,
      settings: SETTINGS,
      onError: options.onError ?? (() => {}),
    });
  }

  /**
   * Runs `work` in one transaction that sees the rows of `scope`; a deadlock or serialization
   * failure runs it again, so `work` touches nothing but the database. What is not done `untilMs`
   * (of `performance.now()`) is undone: a door must not open for somebody who has given up.
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
        const code = (error as { code?: string }).code;
        const isRepeated = code === SERIALIZATION_FAILURE || code === DEADLOCK;
        if (!isRepeated || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** As `transaction`, for work that only reads. */
  read<Result>(scope: Scope, work: (db: Db) => Promise<Result>): Promise<Result> {
    return this.#attempt(scope, "read only", work);
  }

  /** As `read`, with all statements seeing the same moment, and longer ones: for what nobody waits for. */
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
      return await handleOf(client).many<Row>(query);
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
    const course: Course = { isOver: false };
    let broken: Error | undefined;
    try {
      // Sent without waiting: the statements of `work` follow in the same round trip.
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
      const result = await work(handleOf(client, course));
      await opened;
      course.isOver = true;
      const ended = send(client, "commit");
      // Nothing hangs on the end of a read: whoever has the connection next queues behind it.
      if (mode !== "read write") ended.catch(() => {});
      // A transaction that failed answers COMMIT with ROLLBACK and no error.
      else if ((await ended).command !== "COMMIT") throw new Error("transaction aborted");
      return result;
    } catch (error) {
      course.isOver = true;
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
    await this.pool.end();
  }
}
