// Liveness, readiness and metrics routes.
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Database } from "../db/db.ts";
import { sql } from "../db/sql.ts";
import { registry } from "../metrics.ts";

/** Set false before the process drains, so that a load balancer stops sending requests (promise S1). */
export interface Readiness {
  isReady: boolean;
}

/** Reads the values of installation-wide metrics from the database. */
export type Measure = (database: Database) => Promise<void>;

const MEASURE_WITHIN_MS = 3_000;

export function addHealthRoutes(
  app: FastifyInstance,
  database: Database,
  readiness: Readiness,
  measures: readonly Measure[] = [],
) {
  app.get("/healthz", () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const isDatabaseThere = await database.unscoped(sql`select 1`).then(
      () => true,
      () => false,
    );
    const isReady = readiness.isReady && isDatabaseThere;
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? "ready" : "not ready", database: isDatabaseThere });
  });
  app.get("/metrics", async (_request, reply) => {
    // An outage must not hide the process's own metrics; a scraper gives up after ten seconds.
    const measured = Promise.allSettled(measures.map((measure) => measure(database)));
    await Promise.race([measured, sleep(MEASURE_WITHIN_MS)]);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
