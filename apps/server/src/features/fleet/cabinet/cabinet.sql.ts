// SQL that locks cabinets, in the order of their ids, before `link/device` changes them.
import type {
  CabinetConfig,
  CabinetEdit,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Connectivity, Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { type CabinetId, connectivitySql } from "../../link/device/index.ts";
import { cabinetPredicate } from "./cabinet-scope.sql.ts";

export interface CabinetRow {
  tenantId: number;
  id: number;
  sn: string;
  storeId: number | null;
  lifecycle: Lifecycle;
  connectivity: Connectivity;
  desiredConfig: CabinetConfig;
}

/** The fields of the edit page before the change. */
export interface EditedRow extends Omit<CabinetEdit, "config" | "pricing"> {
  editedBy: string | null;
}

/** The visible ones of `ids`, locked until the transaction ends. */
export function lockVisibleCabinets(
  db: Db,
  session: Session,
  ids: number[],
): Promise<CabinetRow[]> {
  return db.many(sql`
    select cabinet.tenant_id, cabinet.id, cabinet.sn, cabinet.store_id, cabinet.lifecycle,
      ${connectivitySql(sql`cabinet`)} as connectivity, cabinet.desired_config
    from cabinet
    where cabinet.id = any(${ids}) and ${cabinetPredicate(session, sql`cabinet`)}
    order by cabinet.tenant_id, cabinet.id
    for no key update of cabinet`);
}

/** Requires the lock on the cabinet. */
export function findEditedRow(db: Db, { tenantId, id }: CabinetId): Promise<EditedRow> {
  return db.one(sql`
    select edit_version, desired_config_version, name, store_id, service_phone, place, longitude,
      latitude, opening_hours, edited_by
    from cabinet where tenant_id = ${tenantId} and id = ${id}`);
}

/** Compartments with goods or a reservation, by the records or by the item sensor. */
export async function findHeldNos(db: Db, { tenantId, id }: CabinetId): Promise<number[]> {
  const rows = await db.many<{ no: number }>(sql`
    select no from compartment
    where tenant_id = ${tenantId} and cabinet_id = ${id}
      and (occupancy <> 'FREE' or item = 'PRESENT')
    order by no`);
  return rows.map(({ no }) => no);
}
