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

/** Does nothing if an event with this type and key exists already (idempotent), or while the feature is off (0075). */
export async function insertEvent(db: Db, event: NewEvent): Promise<void> {
  const { tenantId, type, key, appId, orderId, data } = event;
  await db.run(sql`
    insert into callback_event (tenant_id, type, key, app_id, order_id, data)
    select ${tenantId}, ${type}, ${key}, ${appId}, ${orderId}::bigint, ${JSON.stringify(data)}::jsonb
    where not 'webhook' = any(tenant_off_features(${tenantId}))
    on conflict (tenant_id, type, key) do nothing`);
}
