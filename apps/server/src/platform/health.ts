// Health: is the process alive, may it be given work, and its metrics.
import type { FastifyInstance } from "fastify";
import { type Database, sql } from "./db.ts";
import { registry } from "./metrics.ts";

/** Set false before the process drains, so that a load balancer looks elsewhere (promise S1). */
export interface Readiness {
  isReady: boolean;
}

/** Looks at the database for what /metrics says of the whole installation. */
export type Measure = (database: Database) => Promise<void>;

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
    await Promise.all(measures.map((measure) => measure(database)));
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
