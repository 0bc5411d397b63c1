// SQL for the facts in messages about orders.
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";

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
    select ord.side, ord.compartment_no as no, ord.stored_at, ord.ended_at,
      recipient.phone as recipient_phone, addressee.phone,
      case when starts_with(cabinet.name, store.name) then cabinet.name
        else concat_ws(' ', store.name, cabinet.name) end
        as place
    from storage_order ord
    join end_user recipient on recipient.tenant_id = ord.tenant_id
      and recipient.id = ord.recipient_id
    join end_user addressee on addressee.tenant_id = ord.tenant_id and addressee.id = ${endUserId}
    join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
    left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
    where ord.tenant_id = ${tenantId} and ord.id = ${orderId} and addressee.deleted_at is null`);
}
