// Reads what a person still has with a tenant: money, cards, goods, debts and money under way.
import type { Leftovers } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { isLive, ORDER_STATES } from "@cabinet/contract/orders/order/order.rules.ts";
import { type Db, sql } from "../../../platform/db/db.ts";
import type { EndUserKey } from "./end-user.sql.ts";

const liveStates = ORDER_STATES.filter(isLive);

/** The depositing rider, if any, owes a taken-back order; the recipient owes all others. */
const isDebtor = (id: number) => sql`
  case when o.state = 'TAKEN_BACK' then coalesce(o.rider_id, o.recipient_id)
    else o.recipient_id end = ${id}`;

export function findLeftovers(db: Db, { tenantId, id }: EndUserKey): Promise<Leftovers> {
  const ofUser = sql`tenant_id = ${tenantId} and end_user_id = ${id}`;
  return db.one(sql`
    select coalesce(w.principal_fen, 0) as "principalFen", coalesce(w.bonus_fen, 0) as "bonusFen",
      coalesce(w.held_principal_fen + w.held_bonus_fen, 0) as "heldFen",
      (select count(*)::int from user_package where ${ofUser} and expires_at > now()
        and uses_left is distinct from 0) as cards,
      orders.live as "liveOrders", orders.unpaid as "unpaidOrders", orders.fen as "unpaidFen",
      (select count(*)::int from top_up where ${ofUser} and state = 'CREATED') as "openTopUps",
      (select count(*)::int from top_up_refund r
        join top_up p on p.tenant_id = r.tenant_id and p.id = r.top_up_id
        where p.tenant_id = ${tenantId} and p.end_user_id = ${id}
          and r.state in ('PROCESSING', 'ABNORMAL')) as "openRefunds",
      (select count(*)::int from reconciliation_difference
        where ${ofUser} and state = 'OPEN') as "openDifferences"
    from (
      select count(*) filter (where o.state = any(${liveStates}::text[]))::int as live,
        count(*) filter (where debt.fen > 0)::int as unpaid,
        coalesce(sum(debt.fen), 0)::bigint as fen
      from storage_order o
      cross join lateral (select case
        when o.state <> all(${liveStates}::text[]) and o.pay_status = 'UNPAID' and ${isDebtor(id)}
        then greatest(0, o.price_fen - o.covered_fen - o.waived_fen - o.paid_principal_fen
          - o.paid_bonus_fen) else 0 end as fen) debt
      where o.tenant_id = ${tenantId} and (o.recipient_id = ${id} or o.rider_id = ${id})
    ) orders
    left join wallet w on w.tenant_id = ${tenantId} and w.end_user_id = ${id}`);
}
