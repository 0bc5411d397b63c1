// Liveness, readiness and metrics routes.
import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Database } from "../db/db.ts";
import { sql } from "../db/sql.ts";
import { healthChecks, registry } from "../metrics.ts";

type Check = () => boolean | Promise<boolean>;

export interface Readiness {
  /** Set false before the process drains, so that a load balancer stops sending requests (promise S1). */
  isReady: boolean;
  /** Parts of this process beside the database, without which it is not ready. */
  checks: Record<string, Check>;
  /** Parts without which it still answers requests: it is degraded. */
  others: Record<string, Check>;
}

/** Reads the values of installation-wide metrics from the database. */
export type Measure = (database: Database) => Promise<void>;

const MEASURE_WITHIN_MS = 3_000;
/** PostgreSQL stops when it cannot write; the embedded one has its data in the same folder. */
const LEAST_FREE_BYTES = 200 * 1024 * 1024;

/** True while the folder's disk has room. */
export async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= LEAST_FREE_BYTES;
}

/** Results by check; a replica, and a server set to read only, answer but cannot be written. */
async function check(
  database: Database,
  { checks, others }: Readiness,
): Promise<{ results: Record<string, boolean>; isUsable: boolean; isWhole: boolean }> {
  const writable = database.unscoped<{ isWritable: boolean }>(sql`
    select not pg_is_in_recovery() and not current_setting('default_transaction_read_only')::boolean
      as is_writable`);
  const all: Record<string, Check> = {
    database: () => writable.then(() => true),
    write: () => writable.then(([row]) => row?.isWritable === true),
    ...checks,
    ...others,
  };
  const results = Object.fromEntries(
    await Promise.all(
      Object.entries(all).map(async ([name, isFine]) => {
        const result = await Promise.resolve()
          .then(isFine)
          .catch(() => false);
        healthChecks.set({ check: name }, result ? 1 : 0);
        return [name, result] as const;
      }),
    ),
  );
  const failed = Object.keys(results).filter((name) => !results[name]);
  const isUsable = failed.every((name) => name in others);
  return { results, isUsable, isWhole: failed.length === 0 };
}

export function addHealthRoutes(
  app: FastifyInstance,
  database: Database,
  readiness: Readiness,
  measures: readonly Measure[] = [],
) {
  app.get("/healthz", () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const { results, isUsable, isWhole } = await check(database, readiness);
    const isReady = readiness.isReady && isUsable;
    const status = !isReady ? "not ready" : isWhole ? "ready" : "degraded";
    return reply.code(isReady ? 200 : 503).send({ status, ...results });
  });
  app.get("/metrics", async (_request, reply) => {
    // An outage must not hide the process's own metrics; a scraper gives up after ten seconds.
    const measured = Promise.allSettled([
      check(database, readiness),
      ...measures.map((measure) => measure(database)),
    ]);
    await Promise.race([measured, sleep(MEASURE_WITHIN_MS)]);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
