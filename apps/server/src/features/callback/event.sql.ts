// Events in the database: written with the business, numbered once they are committed.
import { type Db, sql } from "../../platform/db.ts";

export interface NewEvent {
  tenantId: number;
  type: string;
  key: string;
  appId: number | null;
  orderId: number | null;
  data: Readonly<Record<string, unknown>>;
}

/** Nothing is added where this business was told already. */
export async function insertEvent(db: Db, event: NewEvent): Promise<void> {
  const { tenantId, type, key, appId, orderId, data } = event;
  await db.run(sql`
    insert into callback_event (tenant_id, type, key, app_id, order_id, data)
    values (${tenantId}, ${type}, ${key}, ${appId}, ${orderId}, ${JSON.stringify(data)})
    on conflict (tenant_id, type, key) do nothing`);
}
