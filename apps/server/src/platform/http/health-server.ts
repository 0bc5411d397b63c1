// Health and metrics of a process that serves no API: standalone gateways and workers.
import Fastify from "fastify";
import type { Database } from "../db/db.ts";
import { addHealthRoutes, type Measure, type Readiness } from "./health.ts";

export async function startHealthServer(
  at: { port: number; host: string },
  database: Database,
  readiness: Readiness,
  measures: readonly Measure[],
): Promise<{ stop(): Promise<void> }> {
  const app = Fastify();
  addHealthRoutes(app, database, readiness, measures);
  await app.listen(at);
  return { stop: () => app.close() };
}
