// Serializes pickup tries at a cabinet with an advisory lock: concurrent ones would all run before
// a failure counts.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export async function lockTries(db: Db, sn: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`pickup:${sn}`}, 0))`);
}
