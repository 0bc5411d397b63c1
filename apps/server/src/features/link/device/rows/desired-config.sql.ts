// Writes of other features to the desired config of cabinets.

import type { CabinetConfig } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";
import type { CabinetId } from "./cabinet.sql.ts";

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

/**
 * A cabinet refuses every version below its own, which is ahead of ours after a restore or if another server gave it:
 * ours goes above. The caller holds the lock on the cabinet's row.
 */
export async function overtakeConfigVersion(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  reported: number,
): Promise<void> {
  await db.run(sql`
    update cabinet set desired_config_version = greatest(desired_config_version, ${reported}::int + 1)
    where tenant_id = ${tenantId} and id = ${cabinetId}`);
}

/** Raises the config version of cabinets without a heartbeat of their own; returns them. */
export function raiseConfigVersions(db: Db, modelId: number): Promise<CabinetKey[]> {
  return db.many(sql`
    update cabinet set desired_config_version = desired_config_version + 1
    where model_id = ${modelId} and desired_config -> 'heartbeatSeconds' is null
    returning tenant_id, id as cabinet_id`);
}

/** Replaces the desired configs by `restored`, rows of `(cabinet_id, config)`; returns the cabinets that changed. */
export function replaceDesiredConfigs(
  db: Db,
  tenantId: number,
  restored: Sql,
): Promise<{ cabinetId: number }[]> {
  return db.many(sql`
    update cabinet set desired_config_version = cabinet.desired_config_version + 1,
      desired_config = restored.config, desired_config_at = now()
    from (${restored}) restored
    where cabinet.tenant_id = ${tenantId} and cabinet.id = restored.cabinet_id
      and cabinet.desired_config <> restored.config
    returning cabinet.id as cabinet_id`);
}
