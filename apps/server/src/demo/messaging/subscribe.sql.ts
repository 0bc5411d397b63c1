// SQL for recent order steps that riders are notified of by subscribe message.
import { type Db, sql } from "../../platform/db/db.ts";

export interface SubscribedStep {
  at: string;
  scene: "STORED" | "PICKED_UP";
  endUserId: number;
  orderId: number;
}

/** One third of the riders, who consented; in chronological order. */
export function findSubscribedSteps(
  db: Db,
  tenantId: number,
  limit: number,
): Promise<SubscribedStep[]> {
  return db.many(sql`
    select * from (
      select e.at, case e.kind when 'STORED' then 'STORED' else 'PICKED_UP' end as scene,
        o.rider_id as "endUserId", o.id as "orderId"
      from storage_order o
      join order_event e on e.tenant_id = o.tenant_id and e.order_id = o.id
        and e.kind in ('STORED', 'COMPLETED')
      where o.tenant_id = ${tenantId} and o.side = 'SINGLE' and o.rider_id <> o.recipient_id
        and o.rider_id % 3 = 0 and o.id >= first_order_id(now() - interval '4 days')
        and e.at < now() - interval '5 hours'
      order by e.at desc limit ${limit}) newest
    order by at, "orderId"`);
}

export async function findAppIds(db: Db): Promise<Map<number, string>> {
  const rows = await db.many<{ tenantId: number; appId: string }>(sql`
    select tenant_id as "tenantId", app_id as "appId" from mini_program_setting`);
  return new Map(rows.map(({ tenantId, appId }) => [tenantId, appId]));
}
