// SQL for the live orders at the places of a malfunction.
import type { Page, PageRequest } from "@cabinet/contract/kit/pagination.ts";
import type { AffectedOrder } from "@cabinet/contract/orders/order/affected-order.contract.ts";
import type { Session } from "../../../../platform/context.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../../platform/db/page.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";
import { affectedPlacesSql, type MalfunctionKey } from "../../../operations/malfunction/index.ts";
import { isVisibleOrderSql } from "../read/order-list.sql.ts";

/** One notice for each order and malfunction (`order_telling`). */
export const occasionOf = (id: number) => `malfunction ${id}`;

const affected = (session: Session, malfunction: MalfunctionKey): Sql => sql`
  from (${affectedPlacesSql(malfunction)}) place
  join live_order on live_order.tenant_id = ${malfunction.tenantId}
    and live_order.cabinet_id = place.cabinet_id
    and live_order.compartment_no = coalesce(place.compartment_no, live_order.compartment_no)
  join storage_order ord on ord.tenant_id = live_order.tenant_id and ord.id = live_order.order_id
  join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
  join end_user recipient on recipient.tenant_id = ord.tenant_id and recipient.id = ord.recipient_id
  left join order_telling on order_telling.tenant_id = ord.tenant_id
    and order_telling.order_id = ord.id and order_telling.scene = 'OUTAGE'
    and order_telling.occasion = ${occasionOf(malfunction.id)}
  where place.is_down and ${isVisibleOrderSql(session, malfunction.tenantId)}`;

const isToNotify = sql`ord.state in ('STORED', 'OVERDUE') and order_telling.at is null`;

/** Phones of recipients are whole: the service masks them. */
export async function findAffectedOrders(
  db: Db,
  session: Session,
  malfunction: MalfunctionKey,
  query: PageRequest,
): Promise<Page<AffectedOrder> & { toNotify: number }> {
  const matching = affected(session, malfunction);
  const [page, { toNotify }] = await Promise.all([
    findPage<AffectedOrder>(db, {
      matching,
      rows: sql`
        select ord.id, ord.side, cabinet.name as cabinet_name, ord.compartment_no, ord.state,
          json_build_object('id', recipient.id, 'name', recipient.name, 'phone', recipient.phone)
            as recipient,
          ord.stored_at, order_telling.at as notified_at
        ${matching}
        order by cabinet.name, ord.cabinet_id, ord.compartment_no, ord.id ${pageLimits(query)}`,
    }),
    db.one<{ toNotify: number }>(sql`
      select (count(*) filter (where ${isToNotify}))::int as to_notify ${matching}`),
  ]);
  return { ...page, toNotify };
}

export interface OrderToNotify {
  orderId: number;
  recipientId: number;
}

export function findOrdersToNotify(
  db: Db,
  session: Session,
  malfunction: MalfunctionKey,
): Promise<OrderToNotify[]> {
  return db.many(sql`
    select ord.id as order_id, ord.recipient_id ${affected(session, malfunction)} and ${isToNotify}
    order by ord.id`);
}
