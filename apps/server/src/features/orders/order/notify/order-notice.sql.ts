// SQL for the facts in messages about orders.
import type { Side } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { type Db, sql } from "../../../../platform/db/db.ts";

export interface OrderFacts {
  side: Side;
  no: number;
  storedAt: string | null;
  endedAt: string | null;
  recipientPhone: string;
  /** Place of the goods, now or before, in words a person understands. */
  place: string;
  /** Phone of the addressee; empty once the account is deleted. */
  phone: string;
}

export function findOrderFacts(
  db: Db,
  { tenantId, orderId, endUserId }: { tenantId: number; orderId: number; endUserId: number },
): Promise<OrderFacts | null> {
  return db.maybe(sql`
    select o.side, o.compartment_no as no, o.stored_at as "storedAt", o.ended_at as "endedAt",
      r.phone as "recipientPhone", u.phone,
      case when starts_with(c.name, s.name) then c.name else concat_ws(' ', s.name, c.name) end
        as place
    from storage_order o
    join end_user r on r.tenant_id = o.tenant_id and r.id = o.recipient_id
    join end_user u on u.tenant_id = o.tenant_id and u.id = ${endUserId}
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    left join store s on s.tenant_id = c.tenant_id and s.id = c.store_id
    where o.tenant_id = ${tenantId} and o.id = ${orderId} and u.deleted_at is null`);
}
