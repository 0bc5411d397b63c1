// Exceptions from the demand of a second factor, for accounts that tests and benches make.
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";

/** Lets all accounts of the tenant work without one. */
export async function exemptFromFactor(db: Db, tenantId: number): Promise<void> {
  await db.run(sql`update tenant set factor_exempt_until = 'infinity' where id = ${tenantId}`);
}
