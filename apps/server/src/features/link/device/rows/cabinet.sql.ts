// Writes of other features to cabinets; presence and reports write theirs beside this folder.
import type {
  CabinetConfig,
  CabinetEdit,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Session } from "../../../../platform/context.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";
import { codeOf, FOREIGN_KEY_VIOLATION } from "../../../../platform/db/sql-state.ts";
import { type CabinetKey, type Gateway, isConnectedSql } from "../presence/presence.sql.ts";

export interface CabinetId {
  tenantId: number;
  id: number;
}

/** Inserts the cabinet only, INACTIVE; its compartments are created from its model. */
export function createCabinet(
  db: Db,
  cabinet: { tenantId: number; sn: string; name: string; modelId: number },
): Promise<{ id: number }> {
  return db.one(sql`
    insert into cabinet (tenant_id, sn, name, model_id)
    values (${cabinet.tenantId}, ${cabinet.sn}, ${cabinet.name}, ${cabinet.modelId})
    returning id`);
}

/** False when other rows that must be kept refer to it. */
export async function deleteCabinet(db: Db, tenantId: number, id: number): Promise<boolean> {
  try {
    await db.run(sql`delete from cabinet where tenant_id = ${tenantId} and id = ${id}`);
    return true;
  } catch (error) {
    if (codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    return false;
  }
}

/** Saves the form; raises the config version only where the config changes. */
export function updateCabinet(
  db: Db,
  session: Session,
  { tenantId, id }: CabinetId,
  edit: Omit<CabinetEdit, "config"> & { config: CabinetConfig },
): Promise<{ isConnected: boolean }> {
  const config = JSON.stringify(edit.config);
  return db.one(sql`
    update cabinet set name = ${edit.name.trim()}, store_id = ${edit.storeId},
      service_phone = ${edit.servicePhone.trim()}, place = ${edit.place.trim()},
      longitude = ${edit.longitude}, latitude = ${edit.latitude},
      opening_hours = ${edit.openingHours}, desired_config = ${config}::jsonb,
      desired_config_version = desired_config_version + (desired_config <> ${config}::jsonb)::int,
      desired_config_at = case when desired_config <> ${config}::jsonb then now()
        else desired_config_at end,
      edit_version = edit_version + 1, edited_at = now(), edited_by = ${session.signature}
    where tenant_id = ${tenantId} and id = ${id}
    returning ${isConnectedSql(sql`cabinet`)} as is_connected`);
}

export async function updateLifecycle(
  db: Db,
  { tenantId, id }: CabinetId,
  to: Lifecycle,
): Promise<void> {
  await db.run(sql`
    update cabinet set lifecycle = ${to}
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** Returns the cabinets whose store changed. */
export function updateStore(
  db: Db,
  session: Session,
  tenantIds: number[],
  ids: number[],
  storeId: number | null,
): Promise<CabinetId[]> {
  return db.many(sql`
    update cabinet set store_id = ${storeId}, edit_version = edit_version + 1,
      edited_at = now(), edited_by = ${session.signature}
    where tenant_id = any(${tenantIds}) and id = any(${ids})
      and store_id is distinct from ${storeId}
    returning tenant_id, id`);
}

/** Takes the next seq for a command that this gateway sends; the caller adds `from`, `where` and `returning`. */
export function takeSeqSql(gateway: Gateway): Sql {
  return sql`update cabinet set command_seq = cabinet.command_seq + 1, gateway_id = ${gateway.id}`;
}

/** Whether the absence of these cabinets, rows of `(tenant_id, id)`, has been reported as a malfunction. */
export function markAbsences(db: Db, isReported: boolean, cabinets: Sql): Promise<CabinetKey[]> {
  return db.many(sql`
    update cabinet set is_absence_told = ${isReported} where (tenant_id, id) in (${cabinets})
    returning tenant_id, id as cabinet_id`);
}
