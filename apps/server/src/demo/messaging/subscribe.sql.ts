// SQL for recent order steps that riders are notified of by subscribe message.
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";
import { MESSAGE_DAYS } from "../period.ts";

export interface SubscribedStep {
  at: string;
  scene: "STORED" | "PICKED_UP";
  endUserId: number;
  orderId: number;
}

/** One third of the riders, who consented; in chronological order. */
export function findSubscribedSteps(db: Db, tenantId: number): Promise<SubscribedStep[]> {
  return db.many(sql`
    select order_event.at, case order_event.kind when 'STORED' then 'STORED'
      else 'PICKED_UP' end as scene, ord.rider_id as end_user_id, ord.id as order_id
    from storage_order ord
    join order_event on order_event.tenant_id = ord.tenant_id and order_event.order_id = ord.id
      and order_event.kind in ('STORED', 'COMPLETED')
    where ord.tenant_id = ${tenantId} and ord.side = 'SINGLE' and ord.rider_id <> ord.recipient_id
      and ord.rider_id % 3 = 0
      and ord.id >= first_order_id(now() - make_interval(days => ${MESSAGE_DAYS}))
      and order_event.at < now() - interval '5 hours'
    order by order_event.at, ord.id`);
}

export async function findAppIds(db: Db): Promise<Map<number, string>> {
  const rows = await db.many<{ tenantId: number; appId: string }>(sql`
    select tenant_id, app_id from mini_program_setting`);
  return new Map(rows.map(({ tenantId, appId }) => [tenantId, appId]));
}
