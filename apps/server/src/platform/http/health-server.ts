// Health, metrics and API document on a listener of their own: of processes without the API, and by METRICS_LISTEN.
import Fastify from "fastify";
import type { Database } from "../db/db.ts";
import { addHealthRoutes, type Measure, type Readiness } from "./health.ts";
import { addOpenApiRoutes } from "./openapi/openapi.routes.ts";
import type { DocumentSource } from "./openapi/openapi.ts";

export async function startHealthServer(
  at: { port: number; host: string },
  database: Database,
  readiness: Readiness,
  measures: readonly Measure[],
  document?: DocumentSource,
): Promise<{ stop(): Promise<void> }> {
  const app = Fastify();
  addHealthRoutes(app, database, readiness, measures);
  if (document) addOpenApiRoutes(app, document);
  await app.listen(at);
  return { stop: () => app.close() };
}
