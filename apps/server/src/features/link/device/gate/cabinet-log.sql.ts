// Inserts events that the server itself writes into a cabinet's log.
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";

/** Returns null when no cabinet has this serial number. */
export function insertServerEvent(
  db: Db,
  sn: string,
  kind: string,
  payload: object,
): Promise<CabinetKey | null> {
  return db.maybe(sql`
    insert into cabinet_event (tenant_id, cabinet_id, kind, payload)
    select tenant_id, id, ${kind}, ${JSON.stringify(payload)}::jsonb
    from cabinet where sn = ${sn}
    returning tenant_id, cabinet_id`);
}
