// Reads what a person still has with a tenant: money, cards, goods, debts and money under way.
import type { Leftovers } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { isLive } from "@cabinet/contract/orders/order/order.rules.ts";
import { ORDER_STATES } from "@cabinet/contract/vocabulary/order.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { EndUserKey } from "./end-user.sql.ts";

const liveStates = ORDER_STATES.filter(isLive);

/** The depositing rider, if any, owes a taken-back order; the recipient owes all others. */
const isDebtor = (id: number) => sql`
  case when ord.state = 'TAKEN_BACK' then coalesce(ord.rider_id, ord.recipient_id)
    else ord.recipient_id end = ${id}`;

export function findLeftovers(db: Db, { tenantId, id }: EndUserKey): Promise<Leftovers> {
  const ofUser = sql`tenant_id = ${tenantId} and end_user_id = ${id}`;
  return db.one(sql`
    select coalesce(wallet.principal_fen, 0) as principal_fen,
      coalesce(wallet.bonus_fen, 0) as bonus_fen,
      coalesce(wallet.held_principal_fen + wallet.held_bonus_fen, 0) as held_fen,
      (select count(*)::int from user_package where ${ofUser} and expires_at > now()
        and uses_left is distinct from 0) as cards,
      orders.live as live_orders, orders.unpaid as unpaid_orders, orders.fen as unpaid_fen,
      (select count(*)::int from top_up where ${ofUser} and state = 'CREATED') as open_top_ups,
      (select count(*)::int from top_up_refund refund
        join top_up on top_up.tenant_id = refund.tenant_id and top_up.id = refund.top_up_id
        where top_up.tenant_id = ${tenantId} and top_up.end_user_id = ${id}
          and refund.state in ('PROCESSING', 'ABNORMAL')) as open_refunds,
      (select count(*)::int from reconciliation_difference
        where ${ofUser} and state = 'OPEN') as open_differences
    from (
      select count(*) filter (where ord.state = any(${liveStates}::text[]))::int as live,
        count(*) filter (where debt.fen > 0)::int as unpaid,
        coalesce(sum(debt.fen), 0)::bigint as fen
      from storage_order ord
      cross join lateral (select case
        when ord.state <> all(${liveStates}::text[]) and ord.pay_status = 'UNPAID'
          and ${isDebtor(id)}
        then greatest(0, ord.price_fen - ord.covered_fen - ord.waived_fen - ord.paid_principal_fen
          - ord.paid_bonus_fen) else 0 end as fen) debt
      where ord.tenant_id = ${tenantId} and (ord.recipient_id = ${id} or ord.rider_id = ${id})
    ) orders
    left join wallet on wallet.tenant_id = ${tenantId} and wallet.end_user_id = ${id}`);
}
