// Liveness, readiness and metrics routes.
import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Database } from "../db/db.ts";
import { sql } from "../db/sql.ts";
import { refuse } from "../errors.ts";
import { clockOffset, healthChecks, registry } from "../metrics.ts";
import { commit, version } from "../version.ts";

type Check = () => boolean | Promise<boolean>;

export interface Readiness {
  /** Set false before the process drains, so that a load balancer stops sending requests (promise S1). */
  isReady: boolean;
  /** Parts of this process beside the database, without which it is not ready. */
  checks: Record<string, Check>;
  /** Dangers to come, for people and alerts. A proxy that took the process out for one would make it the outage. */
  warnings: Record<string, Check>;
}

/** Reads the values of installation-wide metrics from the database. */
export type Measure = (database: Database) => Promise<void>;

/**
 * No check and no measure is waited for longer. A check without an answer counts as failed, so that the first scrape
 * after a fault shows it: a silent connection takes until `ANSWER_WITHIN_MS` to fail, and calls give up by then, too.
 */
const ANSWER_WITHIN_MS = 3_000;
/** The route is public: a flood of calls must not become a flood of writes. */
const PROBE_EVERY_MS = 1_000;
/** Below this uploads, backups and an embedded database are about to fail; whether the database still writes is the check `write`. */
const LEAST_FREE_BYTES = 200 * 1024 * 1024;

const inTime = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  Promise.race([work, sleep(ANSWER_WITHIN_MS, undefined, { ref: false })]);

/** True while the folder's disk has room. */
export async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= LEAST_FREE_BYTES;
}

/**
 * True if the database has just written, and measures how far the clocks are apart: an empty message reaches the disk of its write-ahead log. A replica, and a
 * server set to read only, answer and are not asked to.
 */
async function isWritable(database: Database): Promise<boolean> {
  const [row] = await database.unscoped<{ isWritten: boolean; now: number }>(sql`
    select extract(epoch from clock_timestamp())::float8 as now, case when pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean then false
      else pg_logical_emit_message(true, 'health', '') is not null end as is_written`);
  if (row) clockOffset.set(Date.now() / 1000 - row.now);
  return row?.isWritten === true && !database.isDiskFull;
}

/** Repeats a successful probe only after `PROBE_EVERY_MS`; a failed one is repeated with the next call. */
function probeOf(database: Database): () => Promise<boolean> {
  let last: { at: number; isWritable: Promise<boolean> } | undefined;
  return () => {
    if (last && performance.now() - last.at < PROBE_EVERY_MS) return last.isWritable;
    const probe = { at: performance.now(), isWritable: isWritable(database) };
    last = probe;
    const forget = () => {
      if (last === probe) last = undefined;
    };
    probe.isWritable.then((isFine) => isFine || forget(), forget);
    return probe.isWritable;
  };
}

export function addHealthRoutes(
  app: FastifyInstance,
  database: Database,
  readiness: Readiness,
  /** Null: another listener serves the metrics. */
  measures: readonly Measure[] | null = [],
) {
  const probe = probeOf(database);

  async function check(): Promise<Record<string, boolean>> {
    const written = probe();
    const all: Record<string, Check> = {
      database: () => written.then(() => true),
      write: () => written,
      ...readiness.checks,
      ...readiness.warnings,
    };
    const results = Object.entries(all).map(async ([name, isFine]) => {
      const asked = Promise.resolve().then(isFine);
      const result = (await inTime(asked).catch(() => false)) === true;
      healthChecks.set({ check: name }, result ? 1 : 0);
      return [name, result] as const;
    });
    return Object.fromEntries(await Promise.all(results));
  }

  let lastStatus: { at: number; isServing: Promise<boolean> } | undefined;
  /** One check answers all callers of a second, in an outage too. */
  const isServing = () => {
    if (!lastStatus || performance.now() - lastStatus.at >= PROBE_EVERY_MS) {
      const isWhole = check().then((results) =>
        Object.keys(results).every((name) => results[name] || name in readiness.warnings),
      );
      lastStatus = { at: performance.now(), isServing: isWhole };
    }
    return lastStatus.isServing;
  };
  // For everybody who uses the platform: says no more than whether it serves.
  app.get("/status", async (_request, reply) => {
    const isUp = readiness.isReady && (await isServing());
    return reply.code(isUp ? 200 : 503).send({ status: isUp ? "operational" : "unavailable" });
  });
  app.get("/healthz", () => ({ status: "ok" }));
  // A proxy excludes what the process can do without, as in `?exclude=broker`: it must not take away the console, too.
  app.get<{ Querystring: { exclude?: string } }>("/readyz", async ({ query }, reply) => {
    const excluded = [
      ...String(query.exclude ?? "").split(","),
      ...Object.keys(readiness.warnings),
    ];
    const results = await check();
    const isWhole = Object.keys(results).every((name) => results[name] || excluded.includes(name));
    const isReady = readiness.isReady && isWhole;
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? "ready" : "not ready", version, commit, ...results });
  });
  if (!measures) {
    // Without a route the console's page would answer.
    app.get("/metrics", () => refuse("ROUTE_NOT_FOUND"));
    return;
  }
  let running: Promise<unknown> | null = null;
  /** One measurement serves all scrapes of the moment. */
  const measureOnce = () => {
    running ??= Promise.allSettled(measures.map((measure) => measure(database))).finally(() => {
      running = null;
    });
    return running;
  };
  app.get("/metrics", async (_request, reply) => {
    // An outage must not hide the process's own metrics; a scraper gives up after ten seconds.
    await Promise.all([check(), inTime(measureOnce())]);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
