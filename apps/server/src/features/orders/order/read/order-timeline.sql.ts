// SQL for the records behind an order's timeline: events, door events, ledger journals.

import type { DoorSide } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import { kindsOfGroup } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import { type Db, sql } from "../../../../platform/db/db.ts";
import type { VisibleOrderKey } from "./order-list.sql.ts";
import type { EventRow, JournalRow } from "./timeline.rules.ts";

type Key = Pick<VisibleOrderKey, "tenantId" | "orderId">;

/** SYSTEM actors have no name on the timeline. */
const actorSql = sql`case when actor_kind <> 'SYSTEM' then actor_name end`;

export function findEvents(db: Db, { tenantId, orderId }: Key): Promise<EventRow[]> {
  return db.many(sql`
    select id, at, kind, to_state as "toState", ${actorSql} as "actorName",
      command_id as "commandId", detail
    from order_event where tenant_id = ${tenantId} and order_id = ${orderId} order by id`);
}

const shownKinds = [...kindsOfGroup("DOOR"), ...kindsOfGroup("ITEM"), ...kindsOfGroup("DEED")];

export interface DoorEventRow {
  id: number;
  at: string;
  kind: string;
  side: DoorSide | null;
  isDoubleSided: boolean;
  payload: Readonly<Record<string, unknown>> | null;
}

/** Door events at the order's compartment while it held it, without openings for other orders. */
export function findDoorEvents(db: Db, { tenantId, orderId }: Key): Promise<DoorEventRow[]> {
  return db.many(sql`
    select e.id, e.received_at as at, e.kind, e.side, o.side = 'DOUBLE' as "isDoubleSided", e.payload
    from storage_order o
    join cabinet_event e on e.tenant_id = o.tenant_id and e.cabinet_id = o.cabinet_id
      and e.compartment_no = o.compartment_no and e.kind = any(${shownKinds})
      and e.received_at >= o.created_at
      and e.received_at <= coalesce(o.ended_at + interval '1 minute', now())
    left join command d on d.tenant_id = e.tenant_id and d.id = e.command_id
    where o.tenant_id = ${tenantId} and o.id = ${orderId}
      and (d.order_id is null or d.order_id = o.id)
      and not exists (
        select from storage_order n
        where n.tenant_id = o.tenant_id and n.cabinet_id = o.cabinet_id and n.id > o.id
          and n.compartment_no = o.compartment_no and n.created_at <= e.received_at
          and n.id <= first_order_id(o.ended_at + interval '2 minutes'))
    order by e.received_at, e.id`);
}

export function findJournals(db: Db, { tenantId, orderId }: Key): Promise<JournalRow[]> {
  return db.many(sql`
    select id, at, kind, principal_fen as "principalFen", bonus_fen as "bonusFen",
      ${actorSql} as "actorName", reason
    from ledger_journal where tenant_id = ${tenantId} and order_id = ${orderId} order by id`);
}
