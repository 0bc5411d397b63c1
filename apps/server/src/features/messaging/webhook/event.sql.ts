// SQL for events: inserted in the business transaction, numbered after its commit.
import type { OpenEvent } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { EventFacts } from "./webhook-message.format.ts";

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

export interface AppEvents {
  events: (EventFacts & { type: OpenEvent["type"] })[];
  /** Smallest number that is kept. */
  oldestSeq: number | null;
}

/** Numbered events of an application beyond `after`, in order. */
export async function findAppEvents(
  db: Db,
  { tenantId, appId }: { tenantId: number; appId: number },
  { after, limit }: { after: number; limit: number },
): Promise<AppEvents> {
  const ofApp = sql`event.tenant_id = ${tenantId} and event.app_id = ${appId}`;
  const [events, { oldestSeq }] = await Promise.all([
    db.many<AppEvents["events"][number]>(sql`
      select event.uid, event.type, event.at, event.app_seq as tenant_seq, event.data
      from callback_event event where ${ofApp} and event.app_seq > ${after}
      order by event.app_seq limit ${limit}`),
    db.one<{ oldestSeq: number | null }>(sql`
      select min(event.app_seq) as oldest_seq from callback_event event
      where ${ofApp} and event.app_seq > 0`),
  ]);
  return { events, oldestSeq };
}
