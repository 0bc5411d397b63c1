// SQL for the records behind an order's timeline: events, door events, ledger journals.

import { kindsOfGroup } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import type { VisibleOrderKey } from "./order-list.sql.ts";
import type { EventRow, JournalRow } from "./timeline.rules.ts";

type Key = Pick<VisibleOrderKey, "tenantId" | "orderId">;

/** SYSTEM actors have no name on the timeline. */
const actorSql = sql`case when actor_kind <> 'SYSTEM' then actor_name end`;

export function findEvents(db: Db, { tenantId, orderId }: Key): Promise<EventRow[]> {
  return db.many(sql`
    select id, at, kind, to_state, ${actorSql} as actor_name, command_id, detail
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

/**
 * Door events at the order's compartment while it held it, without openings for other orders. A later order is compared
 * by number, not by column: PostgreSQL then leaves earlier months closed.
 */
export function findDoorEvents(db: Db, { tenantId, orderId }: Key): Promise<DoorEventRow[]> {
  return db.many(sql`
    select cabinet_event.id, cabinet_event.received_at as at, cabinet_event.kind,
      cabinet_event.side, ord.side = 'DOUBLE' as is_double_sided, cabinet_event.payload
    from storage_order ord
    join cabinet_event on cabinet_event.tenant_id = ord.tenant_id
      and cabinet_event.cabinet_id = ord.cabinet_id
      and cabinet_event.compartment_no = ord.compartment_no
      and cabinet_event.kind = any(${shownKinds})
      and cabinet_event.received_at >= ord.created_at
      and cabinet_event.received_at <= coalesce(ord.ended_at + interval '1 minute', now())
    left join command on command.tenant_id = cabinet_event.tenant_id
      and command.id = cabinet_event.command_id
    where ord.tenant_id = ${tenantId} and ord.id = ${orderId}
      and (command.order_id is null or command.order_id = ord.id)
      and not exists (
        select from storage_order next_order
        where next_order.tenant_id = ord.tenant_id and next_order.cabinet_id = ord.cabinet_id
          and next_order.id > ${orderId}
          and next_order.compartment_no = ord.compartment_no
          and next_order.created_at <= cabinet_event.received_at
          and next_order.id <= first_order_id(ord.ended_at + interval '2 minutes'))
    order by cabinet_event.received_at, cabinet_event.id`);
}

export function findJournals(db: Db, { tenantId, orderId }: Key): Promise<JournalRow[]> {
  return db.many(sql`
    select id, at, kind, principal_fen, bonus_fen, ${actorSql} as actor_name, reason
    from ledger_journal where tenant_id = ${tenantId} and order_id = ${orderId} order by id`);
}
