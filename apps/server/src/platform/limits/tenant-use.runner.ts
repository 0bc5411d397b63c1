// Reports this process's use of tenants' limits and learns that of the others, every other second.
import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Database } from "../db/db.ts";
import { startTurns, type Turns } from "../jobs/turns.ts";
import type { Log } from "../log.ts";
import { TenantUse } from "./tenant-use.rules.ts";
import { reportUse } from "./tenant-use.sql.ts";

const REPORT_MS = 2_000;

/** Counts for the lifetime of the server. */
export function addTenantUse(
  app: FastifyInstance,
  { database, log }: { database: Database; log: Log },
): TenantUse {
  const use = new TenantUse();
  const processId = randomUUID();
  let turns: Turns | undefined;
  async function report(): Promise<void> {
    const own = use.take(performance.now());
    if (own.length === 0) return;
    const all = await database.transaction("platform", (db) => reportUse(db, processId, own));
    use.learn(all, performance.now());
  }
  app.addHook("onReady", async () => {
    turns = startTurns(log, REPORT_MS, report, "use of tenants not reported");
  });
  app.addHook("onClose", async () => turns?.stop());
  return use;
}
