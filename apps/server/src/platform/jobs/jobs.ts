// Jobs and cron on PostgreSQL: added in a transaction, run at least once after it commits.
import { Logger, parseCronItems, type Runner, run, runMigrations } from "graphile-worker";
import type pg from "pg";
import { type Database, type Db, STALLED_MS } from "../db/db.ts";
import { asOutage, isOutage, LONG_ANSWER_MS, openPool } from "../db/postgres-client.ts";
import { sql } from "../db/sql.ts";
import { codeOf, QUERY_CANCELED } from "../db/sql-state.ts";
import type { Log } from "../log.ts";
import { jobQueue } from "../metrics.ts";
import { startSchedule } from "./schedule.runner.ts";
import { mendClockwork, mendWaitingTimes, type WaitingTime } from "./set-back-clock.ts";
import { startTurns } from "./turns.ts";

export interface JobTools {
  database: Database;
  log: Log;
  /** Aborted when the process stops: no further row of a queue is begun. */
  stopping?: AbortSignal;
}

/** The jobs of one feature. Delivery is at least once, so every task must be idempotent. */
export interface JobSet {
  tasks: Record<string, (payload: unknown, tools: JobTools) => Promise<void>>;
  /** Five-field cron patterns in UTC; a tick fires once, however many processes there are. */
  cron: { task: string; pattern: string }[];
  /** Tasks with a worker of their own: no other job of the process delays them. */
  urgent?: readonly string[];
  /** Times of the feature's rows that a clock which was ahead must not leave in the future. */
  waitingTimes?: readonly WaitingTime[];
}

/** Adds a job that runs once this transaction commits, or some seconds later; replaces one with the same `key`. */
export async function addJob(
  db: Db,
  task: string,
  payload: unknown,
  key?: string,
  inSeconds = 0,
): Promise<void> {
  const json = JSON.stringify(payload);
  await db.run(
    inSeconds > 0
      ? sql`select enqueue_job_in(${task}, ${json}, ${key ?? null}, ${inSeconds})`
      : sql`select enqueue_job(${task}, ${json}, ${key ?? null})`,
  );
}

/** Runs `work` for each key in a transaction of its own, so that one failure does not block the others. */
export async function forEachKey<Key extends { tenantId: number }>(
  { database, log }: JobTools,
  find: (db: Db) => Promise<Key[]>,
  work: (db: Db, key: Key) => Promise<void>,
  failure: string,
): Promise<void> {
  for (const key of await database.read("platform", find)) {
    await database
      .transaction({ tenantId: key.tenantId }, (db) => work(db, key))
      .catch((error) => {
        const facts: object = { err: error, ...key };
        log.error(facts, failure);
      });
  }
}

/** Repeats `step`, each in a transaction of its own, as long as it finds as many rows as it may take. */
export async function inBatches(
  database: Database,
  atOnce: number,
  step: (db: Db, atOnce: number) => Promise<number>,
): Promise<void> {
  const once = () => database.transaction("platform", (db) => step(db, atOnce));
  while ((await once()) === atOnce);
}

/** Job queue metrics for /metrics: waiting, age of the oldest, failed. */
export async function measureJobs(database: Database): Promise<void> {
  const [row] = await database.unscoped<{ waiting: number; oldest: number; failed: number }>(
    sql`select waiting, oldest_seconds as oldest, failed from measure_jobs()`,
  );
  jobQueue.waiting.set(row?.waiting ?? 0);
  jobQueue.oldestSeconds.set(row?.oldest ?? 0);
  jobQueue.failed.set(row?.failed ?? 0);
  const [tick] = await database.unscoped<{ seconds: number | null }>(
    sql`select measure_schedule() as seconds`,
  );
  if (tick?.seconds != null) jobQueue.scheduleSeconds.set(tick.seconds);
}

const CONCURRENCY = 4;
const SETTINGS = `-c statement_timeout=5000 -c idle_in_transaction_session_timeout=${STALLED_MS}`;
const ALIVE_EVERY_MS = 10_000;
/** With the turn at the start, within the two minutes in which a wrong clock heals (promise D9). */
const MEND_EVERY_MS = 60_000;
/** Promise J1: with a sweep every 10 s, a killed worker's job resumes within 45 s. */
const DEAD_AFTER_SECONDS = 30;

/** Migrates the job tables; runs before anything adds a job. */
export async function migrateJobs(url: string, log: Log): Promise<void> {
  const pgPool = openPool({
    ...{ url, purpose: "migration", max: 2, settings: "" },
    answerWithinMs: LONG_ANSWER_MS,
    onError: (error) => log.warn({ why: error.message }, "job migration lost a connection"),
  });
  try {
    await runMigrations({ pgPool, logger: loggerOf(log) });
  } finally {
    await pgPool.end();
  }
}

export async function startJobs(
  url: string,
  sets: JobSet[],
  toolsOfProcess: JobTools,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const tools = { ...toolsOfProcess, stopping: stopping.signal };
  const { log } = tools;
  const pool = openPool({
    ...{ url, purpose: "jobs", max: CONCURRENCY + 4, settings: SETTINGS },
    onError: (error) => log.warn({ why: error.message }, "job pool lost a connection"),
  });
  retryOutages(pool);
  const tasks = Object.entries(
    Object.assign({}, ...sets.map((set) => set.tasks)) as JobSet["tasks"],
  );
  const urgent = new Set(sets.flatMap((set) => set.urgent ?? []));
  const startRunner = (concurrency: number, own: typeof tasks): Promise<Runner> =>
    run({
      pgPool: pool,
      concurrency,
      noHandleSignals: true,
      logger: loggerOf(log),
      taskList: Object.fromEntries(
        own.map(([name, task]) => [name, (payload: unknown) => task(payload, tools)]),
      ),
      parsedCronItems: [],
    });
  const runners = [
    await startRunner(
      CONCURRENCY,
      tasks.filter(([name]) => !urgent.has(name)),
    ),
  ];
  if (urgent.size > 0) {
    const own = tasks.filter(([name]) => urgent.has(name));
    runners.push(await startRunner(1, own));
  }
  // Jobs are locked by the id of their worker's pool, not by the worker's own.
  const lockIds = new Set<string>();
  for (const { events } of runners) {
    events.on("worker:getJob:start", ({ worker }) => lockIds.add(worker.workerPool.id));
  }

  async function reportAlive(): Promise<void> {
    await mendClockwork(pool, log);
    await pool.query(
      `insert into job_worker (id) select unnest($1::text[])
       on conflict (id) do update set seen_at = now()`,
      [[...lockIds]],
    );
    await pool.query(
      `select graphile_worker.force_unlock_workers(array(
         select job.locked_by from graphile_worker.jobs job
         left join job_worker worker on worker.id = job.locked_by
         where job.locked_by is not null and job.locked_at < now() - make_interval(secs => $1)
           and (worker.id is null or worker.seen_at < now() - make_interval(secs => $1))))`,
      [DEAD_AFTER_SECONDS],
    );
    await pool.query("delete from job_worker where seen_at < now() - interval '1 hour'");
  }
  const alive = setInterval(() => {
    reportAlive().catch((error) =>
      log.warn({ why: error.message }, "job workers could not be looked after"),
    );
  }, ALIVE_EVERY_MS);
  await reportAlive();
  const waitingTimes = sets.flatMap((set) => set.waitingTimes ?? []);
  const mending = startTurns(log, MEND_EVERY_MS, () => mendWaitingTimes(tools, waitingTimes));
  mending.wake();
  const cron = sets.flatMap((set) => set.cron);
  const schedule = startSchedule(
    pool,
    parseCronItems(cron.map(({ task, pattern }) => ({ task, match: pattern }))),
    log,
  );

  return {
    async stop() {
      clearInterval(alive);
      stopping.abort();
      await Promise.all([schedule.stop(), mending.stop()]);
      await Promise.all(runners.map((runner) => runner.stop()));
      await pool.end();
    },
  };
}

/**
 * graphile-worker ends itself with an unhandled rejection when it cannot record the end of a job. It retries with
 * backoff only after certain error codes: outages and timeouts are given one of them.
 */
function retryOutages(pool: pg.Pool): void {
  const retryable = (error: unknown) => {
    const outage = asOutage(error);
    const isPassing = isOutage(outage) || codeOf(error) === QUERY_CANCELED;
    throw isPassing ? Object.assign(outage as Error, { code: "ETIMEDOUT" }) : error;
  };
  type Method = (...args: unknown[]) => unknown;
  const retried = (method: Method): Method => {
    return (...args) => {
      const result = method(...args);
      return result instanceof Promise ? result.catch(retryable) : result;
    };
  };
  Object.assign(pool, { connect: retried(pool.connect.bind(pool) as Method) });
  pool.on("connect", (client) => {
    Object.assign(client, { query: retried(client.query.bind(client) as Method) });
  });
}

function loggerOf(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const error = asOutage(meta?.error);
    const facts = { job: scope, ...(isOutage(error) && { err: error }) };
    if (level === "error") log.error(facts, message);
    else if (level === "warning") log.warn(facts, message);
    else log.debug(facts, message);
  });
}
