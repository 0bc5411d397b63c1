// One try of a pickup code at a cabinet after the other: many at once would all come before the first is counted.
import { type Db, sql } from "../../platform/db.ts";

export async function lockTries(db: Db, sn: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`pickup:${sn}`}, 0))`);
}
