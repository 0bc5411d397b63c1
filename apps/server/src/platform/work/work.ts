// The kernel for due work: claims the due rows of a queue fairly, runs them, and puts rows that fail behind the others (0146).
import type { Db, Scope } from "../db/db.ts";
import { asOutage, isOutage } from "../db/postgres-client.ts";
import type { Sql } from "../db/sql.ts";
import { addJob, type JobTools } from "../jobs/jobs.ts";
import { workDelay, workRows } from "../metrics.ts";
import { type DueRow, findDue, forgetFailure, recordFailure, secondsToNext } from "./work.sql.ts";

export type { WorkKey } from "./work.sql.ts";

/** Selects waiting rows, due or not: tenant_id, key (text), due_at. */
export type WorkQueue = Sql;

interface WorkSpec<Context> {
  /** Label of its figures; of `isTimed` work also the job that runs it. */
  name: string;
  queue: WorkQueue;
  /** Scope of its transactions; absent: the row's tenant. */
  scope?: "platform";
  /** Rows under way in one process: in total and, where given, of one tenant. */
  parallel: number;
  perTenant?: number;
  /** Rows found by one statement, where that statement is dear; absent: a few per row under way. */
  atOnce?: number;
  /** Adds its own job for the time at which the next row is due; otherwise a cron pattern does. */
  isTimed?: boolean;
  /** Before each round; null: nothing can be done now. */
  open?: (tools: JobTools) => Promise<Context | null>;
}

/**
 * One transaction per row does everything. `act` locks the row and does nothing if it is not due any more: another process
 * may have been faster.
 */
interface Act<Context> extends WorkSpec<Context> {
  act(db: Db, key: DueRow, context: Context): Promise<void>;
}

/**
 * At most once: `claim` commits before `run` has its effect, and a claimed row is never claimed again by itself. What becomes
 * of the rows of a killed process is the queue's own rule.
 */
interface Claim<Context, Claimed, Outcome> extends WorkSpec<Context> {
  /** Locks the row with SKIP LOCKED; null: not due any more, or ended here. */
  claim(db: Db, key: DueRow, context: Context): Promise<Claimed | null>;
  /** Outside of any transaction. */
  run(claimed: Claimed, context: Context, tools: JobTools): Promise<Outcome>;
  /** Does nothing unless the row is still claimed. Absent: `run` stores its result itself, and may be repeated. */
  settle?(db: Db, claimed: Claimed, outcome: Outcome, context: Context): Promise<void>;
  /** After this outcome, no further row of the tenant is begun in this round. */
  pausesTenant?(outcome: Outcome): boolean;
}

/** A round ends after this time, so that rows that stay due are looked at again. */
const ROUND_MS = 60_000;
/** Rows found at once, per row under way. */
const AHEAD = 4;

export interface Work {
  /** Works until nothing is due. During a run in this process, that run goes on instead. */
  drain(tools: JobTools): Promise<void>;
}

/** Work whose rows are done in one transaction each. */
export function defineAct<Context = undefined>(spec: Act<Context>): Work {
  return new Kernel<Context>(spec, async (tools, row, context) => {
    await inTransaction(tools, spec, row, (db) => spec.act(db, row, context));
    return undefined;
  });
}

/** Work with an effect outside of the database. */
export function defineWork<Claimed, Outcome, Context = undefined>(
  spec: Claim<Context, Claimed, Outcome>,
): Work {
  return new Kernel<Context>(spec, async (tools, row, context) => {
    const claimed = await inTransaction(tools, spec, row, (db) => spec.claim(db, row, context));
    if (claimed === null) return undefined;
    // A failure from here on is not retried: the effect may have happened.
    try {
      const outcome = await spec.run(claimed, context, tools);
      const { settle } = spec;
      if (settle) {
        await tools.database.transaction(scopeOf(spec, row), (db) =>
          settle(db, claimed, outcome, context),
        );
      }
      return spec.pausesTenant?.(outcome) ? "PAUSE" : undefined;
    } catch (error) {
      workRows.inc({ work: spec.name, result: "UNSETTLED" });
      tools.log.error({ err: error, ...factsOf(spec, row) }, "work not settled");
      return undefined;
    }
  });
}

type Step<Context> = (
  tools: JobTools,
  row: DueRow,
  context: Context,
) => Promise<"PAUSE" | undefined>;

const scopeOf = ({ scope }: { scope?: "platform" }, { tenantId }: DueRow): Scope =>
  scope ?? { tenantId };
const factsOf = ({ name: work }: { name: string }, { tenantId, key, attempts }: DueRow) => ({
  ...{ work, tenantId, key, attempts },
});

function inTransaction<Result>(
  { database }: JobTools,
  spec: { name: string; scope?: "platform" },
  row: DueRow,
  step: (db: Db) => Promise<Result>,
): Promise<Result> {
  return database.transaction(scopeOf(spec, row), async (db) => {
    const result = await step(db);
    if (row.attempts > 0) await forgetFailure(db, row, spec.name);
    return result;
  });
}

class Kernel<Context> implements Work {
  readonly #spec: WorkSpec<Context>;
  readonly #step: Step<Context>;
  readonly #queue: { work: string; queue: Sql };
  #isRunning = false;
  #isWoken = false;
  /** Ends the wait of a run that has found nothing else to begin. */
  #endWait = () => {};
  #afterTenant = 0;

  constructor(spec: WorkSpec<Context>, step: Step<Context>) {
    this.#spec = spec;
    this.#step = step;
    this.#queue = { work: spec.name, queue: spec.queue };
  }

  async drain(tools: JobTools): Promise<void> {
    this.#isWoken = true;
    this.#endWait();
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isWoken && !tools.stopping?.aborted) {
        this.#isWoken = false;
        const context = this.#spec.open ? await this.#spec.open(tools) : (undefined as Context);
        if (context === null) return;
        await this.#round(tools, context);
      }
      if (this.#spec.isTimed) await this.#addNext(tools);
    } finally {
      this.#isRunning = false;
    }
  }

  async #round(tools: JobTools, context: Context): Promise<void> {
    const { parallel, perTenant = parallel } = this.#spec;
    const untilMs = performance.now() + ROUND_MS;
    const underWay = new Set<Promise<void>>();
    const counts = new Map<number, number>();
    const busyTenants = () =>
      [...counts].filter(([, count]) => count >= perTenant).map(([tenantId]) => tenantId);
    const paused = new Set<number>();
    const begun = new Set<string>();
    // Rows that are due still, as they wait for something else or another process holds them.
    const skipped: DueRow[] = [];
    let found: DueRow[] = [];
    let outage: unknown;

    const begin = (row: DueRow) => {
      begun.add(nameOf(row));
      counts.set(row.tenantId, (counts.get(row.tenantId) ?? 0) + 1);
      const running = this.#attempt(tools, row, context)
        .then((result) => {
          if (result === "PAUSE") paused.add(row.tenantId);
        })
        .catch((error) => {
          outage ??= error;
        })
        .finally(() => {
          underWay.delete(running);
          const left = (counts.get(row.tenantId) ?? 1) - 1;
          if (left === 0) counts.delete(row.tenantId);
          else counts.set(row.tenantId, left);
        });
      underWay.add(running);
    };

    while (!tools.stopping?.aborted && outage === undefined) {
      if (performance.now() > untilMs) {
        this.#isWoken = true;
        break;
      }
      if (underWay.size >= parallel) {
        await Promise.race(underWay);
        continue;
      }
      const row = found.shift();
      if (row) {
        const count = counts.get(row.tenantId) ?? 0;
        if (count < perTenant && !paused.has(row.tenantId)) begin(row);
        continue;
      }
      const busy = busyTenants();
      const rows = await this.#find(tools, { skipped, busyTenants: [...busy, ...paused] });
      found = rows.filter((due) => !begun.has(nameOf(due)));
      skipped.push(...rows.filter((due) => begun.has(nameOf(due))));
      if (rows.length > 0) continue;
      if (this.#isWoken) {
        // A row was added while the last statement ran.
        this.#isWoken = false;
      } else if (underWay.size > 0) {
        const woken = new Promise<void>((resolve) => {
          this.#endWait = resolve;
        });
        await Promise.race([...underWay, woken]);
      } else if (busy.length === 0) break;
    }
    await Promise.all(underWay);
    if (outage !== undefined) throw outage;
  }

  async #find(
    { database }: JobTools,
    left: { skipped: DueRow[]; busyTenants: number[] },
  ): Promise<DueRow[]> {
    const limit = this.#spec.atOnce ?? this.#spec.parallel * AHEAD;
    const rows = await database.read("platform", (db) =>
      findDue(db, this.#queue, { ...left, limit, afterTenant: this.#afterTenant }),
    );
    const last = rows.at(-1);
    if (last) this.#afterTenant = last.tenantId;
    return rows;
  }

  /** Throws only if the database is gone. */
  async #attempt(tools: JobTools, row: DueRow, context: Context): Promise<"PAUSE" | undefined> {
    const { name: work } = this.#spec;
    workDelay.observe({ work }, row.delaySeconds);
    try {
      const result = await this.#step(tools, row, context);
      workRows.inc({ work, result: "DONE" });
      return result;
    } catch (error) {
      if (isOutage(asOutage(error))) throw error;
      workRows.inc({ work, result: "FAILED" });
      tools.log.error({ err: error, ...factsOf(this.#spec, row) }, "work failed");
      await tools.database.transaction({ tenantId: row.tenantId }, (db) =>
        recordFailure(db, row, work),
      );
      return undefined;
    }
  }

  async #addNext({ database }: JobTools): Promise<void> {
    const { name } = this.#spec;
    await database.transaction("platform", async (db) => {
      const seconds = await secondsToNext(db, this.#queue);
      if (seconds !== null) await addJob(db, name, {}, `${name}.later`, Math.max(1, seconds));
    });
  }
}

const nameOf = ({ tenantId, key }: DueRow) => `${tenantId}:${key}`;
