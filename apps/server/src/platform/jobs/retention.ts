// Removes rows that are due in small batches, and records up to when each kind has been removed.
import type { Database, Db } from "../db/db.ts";
import { sql } from "../db/sql.ts";
import { retentionLag } from "../metrics.ts";
import type { JobTools } from "./jobs.ts";

export type RetentionKind = "events" | "commands" | "audit";

/** Rows of a batch: its locks last for a fraction of a second. */
export const BATCH_ROWS = 2_000;
/** A run ends before the next one of its hour begins; the rest stays for that. */
const RUN_MS = 20 * 60_000;

/**
 * Calls `step` for each tenant in turn until it returns null, each in a transaction of its own; the result of a step is
 * given to the tenant's next one. A tenant with a backlog does not hold up the others.
 */
export async function removeDue<Place>(
  { database, log }: JobTools,
  kind: RetentionKind,
  step: (db: Db, tenantId: number, from: Place | null) => Promise<Place | null>,
): Promise<void> {
  const untilMs = performance.now() + RUN_MS;
  const begun = await database.read("platform", (db) =>
    db.one<{ at: string }>(sql`select now()::text as at`),
  );
  let open: { tenantId: number; from: Place | null }[] = await database.read("platform", (db) =>
    db.many(sql`select tenant.id as tenant_id, null as "from" from tenant order by tenant.id`),
  );
  let hasFailed = false;
  while (open.length > 0 && performance.now() < untilMs) {
    const rest: typeof open = [];
    for (const { tenantId, from } of open) {
      try {
        const place = await database.transaction("platform", (db) => step(db, tenantId, from));
        if (place !== null) rest.push({ tenantId, from: place });
      } catch (error) {
        hasFailed = true;
        log.error({ err: error, tenantId, kind }, "old rows not removed");
      }
    }
    open = rest;
  }
  if (hasFailed || open.length > 0) return;
  await database.transaction("platform", (db) =>
    db.run(sql`
      update retention_pass set complete_until = ${begun.at}::timestamptz where kind = ${kind}`),
  );
}

/** For /metrics: for how long rows that are due may have been waiting for their removal. */
export async function measureRetention(database: Database): Promise<void> {
  const passes = await database.unscoped<{ kind: RetentionKind; seconds: number }>(sql`
    select retention_pass.kind,
      extract(epoch from now() - retention_pass.complete_until)::float8 as seconds
    from retention_pass`);
  for (const { kind, seconds } of passes) retentionLag.set({ kind }, seconds);
}
