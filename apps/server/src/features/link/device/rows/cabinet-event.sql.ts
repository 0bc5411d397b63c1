// Writes of other features to the log of cabinets, and the removal of its old rows.
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";

/** Logs events of the server: rows of `(tenant_id, cabinet_id, kind, compartment_no, payload)`. */
export async function insertEvents(db: Db, rows: Sql): Promise<void> {
  await db.run(sql`
    insert into cabinet_event (tenant_id, cabinet_id, kind, compartment_no, payload) ${rows}`);
}

/** Place of an event in its tenant's log. */
export interface EventPlace {
  at: string;
  id: number;
}

/**
 * Removes old events behind `from`, oldest first, and returns the last one that it looked at; null at the end. A numbered
 * report counts once as long as its row is there (0005): it goes only if its cabinet was heard a week later, when it had long
 * repeated what was not acknowledged. The last ONLINE or OFFLINE before `dueBefore` says how the days after it began.
 */
export function removeOldEvents(
  db: Db,
  of: { tenantId: number; from: EventPlace | null; dueBefore: Sql; limit: number },
): Promise<EventPlace | null> {
  const isOld = sql`cabinet_event.tenant_id = ${of.tenantId}
    and cabinet_event.received_at < ${of.dueBefore}`;
  return db.maybe(sql`
    with due as materialized (
      select cabinet_event.id, cabinet_event.cabinet_id, cabinet_event.boot_no, cabinet_event.kind,
        cabinet_event.received_at
      from cabinet_event
      where ${isOld} and (cabinet_event.received_at, cabinet_event.id)
        > (${of.from?.at ?? "-infinity"}::timestamptz, ${of.from?.id ?? 0}::bigint)
      order by cabinet_event.received_at, cabinet_event.id
      limit ${of.limit}
    ), removed as (
      delete from cabinet_event using due
      where cabinet_event.tenant_id = ${of.tenantId} and cabinet_event.id = due.id
        and (due.boot_no is null or exists (select from cabinet
          where cabinet.tenant_id = ${of.tenantId} and cabinet.id = due.cabinet_id
            and cabinet.last_seen_at > due.received_at + interval '7 days'))
        and (due.kind not in ('ONLINE', 'OFFLINE') or (due.received_at, due.id) < (
          select cabinet_event.received_at, cabinet_event.id from cabinet_event
          where ${isOld} and cabinet_event.cabinet_id = due.cabinet_id
            and cabinet_event.kind in ('ONLINE', 'OFFLINE')
          order by cabinet_event.received_at desc, cabinet_event.id desc limit 1))
    )
    select due.received_at::text as at, due.id from due
    order by due.received_at desc, due.id desc limit 1`);
}
