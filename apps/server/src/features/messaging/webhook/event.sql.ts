// SQL for events: inserted in the business transaction, numbered after its commit.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface NewEvent {
  tenantId: number;
  type: string;
  key: string;
  appId: number | null;
  orderId: number | null;
  data: Readonly<Record<string, unknown>>;
}

/** Does nothing if an event with this type and key exists already (idempotent). */
export async function insertEvent(db: Db, event: NewEvent): Promise<void> {
  const { tenantId, type, key, appId, orderId, data } = event;
  await db.run(sql`
    insert into callback_event (tenant_id, type, key, app_id, order_id, data)
    values (${tenantId}, ${type}, ${key}, ${appId}, ${orderId}, ${JSON.stringify(data)})
    on conflict (tenant_id, type, key) do nothing`);
}
