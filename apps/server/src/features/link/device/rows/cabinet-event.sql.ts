// Writes of other features to the log of cabinets.
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";

/** Logs events of the server: rows of `(tenant_id, cabinet_id, kind, compartment_no, payload)`. */
export async function insertEvents(db: Db, rows: Sql): Promise<void> {
  await db.run(sql`
    insert into cabinet_event (tenant_id, cabinet_id, kind, compartment_no, payload) ${rows}`);
}
