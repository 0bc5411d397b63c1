// SQL for changing cabinets: rows are locked in the order of their ids, then changed as one set.
import type {
  CabinetConfig,
  CabinetEdit,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Connectivity, Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { connectivitySql, isConnectedSql } from "../../link/device/index.ts";
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
      edit_version = edit_version + 1, edited_at = now(), edited_by = ${session.displayName}
    where tenant_id = ${tenantId} and id = ${id}
    returning ${isConnectedSql(sql`cabinet`)} as is_connected`);
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

export async function updateLifecycle(db: Db, cabinet: CabinetRow, to: Lifecycle): Promise<void> {
  await db.run(sql`
    update cabinet set lifecycle = ${to}
    where tenant_id = ${cabinet.tenantId} and id = ${cabinet.id}`);
}

interface CabinetId {
  tenantId: number;
  id: number;
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
      edited_at = now(), edited_by = ${session.displayName}
    where tenant_id = any(${tenantIds}) and id = any(${ids})
      and store_id is distinct from ${storeId}
    returning tenant_id, id`);
}

/** Merges `config` into the desired config; returns the cabinets whose desired config changed. */
export function mergeDesiredConfig(
  db: Db,
  tenantIds: number[],
  ids: number[],
  config: CabinetConfig,
): Promise<CabinetId[]> {
  const json = JSON.stringify(config);
  return db.many(sql`
    update cabinet set desired_config = desired_config || ${json}::jsonb,
      desired_config_version = desired_config_version + 1, desired_config_at = now()
    where tenant_id = any(${tenantIds}) and id = any(${ids})
      and desired_config || ${json}::jsonb <> desired_config
    returning tenant_id, id`);
}

/**
 * A cabinet ignores a version that it has, so values that drifted at the same version need a new
 * one.
 */
export async function raiseDriftedVersion(db: Db, { tenantId, id }: CabinetId): Promise<void> {
  await db.run(sql`
    update cabinet set desired_config_version = desired_config_version + 1
    where tenant_id = ${tenantId} and id = ${id}
      and reported_config_version = desired_config_version
      and (reported_config @> desired_config) is not true`);
}
