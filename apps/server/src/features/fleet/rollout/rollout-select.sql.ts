// SQL that selects the cabinets of a roll-out and inserts it with the drawn stages.
import type { NewRollout } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import type { RolloutKind } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, join, sql } from "../../../platform/db/db.ts";
import { isConnectedSql } from "../../link/device/index.ts";
import { cabinetPredicate } from "../cabinet/index.ts";
import type { RolloutKey } from "./rollout-scope.sql.ts";

export interface Selection {
  kind: RolloutKind;
  firmwareId?: number | undefined;
  tenantId: number;
  modelId?: number | undefined;
  storeId?: number | undefined;
  side?: "SINGLE" | "DOUBLE" | undefined;
  cabinetIds?: readonly number[] | undefined;
}

export interface Candidate {
  id: number;
  appVersion: string | null;
  isOnline: boolean;
  /** The firmware supports its model; true where no firmware is chosen. */
  isOfModel: boolean;
  /** In another open roll-out of this kind. */
  isBusy: boolean;
}

/** Selected cabinets visible to the account, without retired ones. */
export function findCandidates(
  db: Db,
  session: Session,
  selection: Selection,
): Promise<Candidate[]> {
  const { kind, firmwareId, tenantId, modelId, storeId, side, cabinetIds } = selection;
  const c = sql`c`;
  const conditions = [
    cabinetPredicate(session, c, tenantId),
    sql`c.tenant_id = ${tenantId}`,
    sql`c.lifecycle <> 'RETIRED'`,
  ];
  if (modelId) conditions.push(sql`c.model_id = ${modelId}`);
  if (storeId) conditions.push(sql`c.store_id = ${storeId}`);
  if (side) conditions.push(sql`m.side = ${side}`);
  if (cabinetIds) conditions.push(sql`c.id = any(${cabinetIds})`);
  return db.many(sql`
    select c.id, c.app_version as "appVersion", ${isConnectedSql(c)} as "isOnline",
      ${firmwareId ?? null}::bigint is null or exists (
        select from firmware_model fm
        where fm.firmware_id = ${firmwareId ?? null} and fm.model_id = c.model_id) as "isOfModel",
      exists (
        select from rollout_target t
        where t.tenant_id = c.tenant_id and t.cabinet_id = c.id and t.kind = ${kind}
          and t.state in ('WAITING', 'SENT', 'ACCEPTED', 'DOWNLOADING', 'INSTALLING')) as "isBusy"
    from cabinet c join cabinet_model m on m.id = c.model_id
    where ${join(conditions, " and ")}
    order by c.id`);
}

/** Number of `ids` in this tenant that the account may see. */
export async function countCabinetsIn(
  db: Db,
  session: Session,
  tenantId: number,
  ids: readonly number[],
): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from cabinet c
    where c.id = any(${ids}) and c.tenant_id = ${tenantId}
      and ${cabinetPredicate(session, sql`c`, tenantId)}`);
  return count;
}

export interface ReleasedFirmware {
  version: string;
  minVersion: string;
}

export function findReleased(db: Db, id: number): Promise<ReleasedFirmware | null> {
  return db.maybe(sql`
    select version, min_version as "minVersion" from firmware
    where id = ${id} and state = 'RELEASED'`);
}

export async function insertRollout(
  db: Db,
  tenantId: number,
  rollout: NewRollout,
  actor: { operatorId: number; displayName: string },
): Promise<RolloutKey> {
  const { modelId, storeId, side, cabinetIds } = rollout;
  const selection = JSON.stringify({ modelId, storeId, side, cabinetIds });
  const config = rollout.config ? JSON.stringify(rollout.config) : null;
  const { id } = await db.one<{ id: number }>(sql`
    insert into rollout (tenant_id, name, kind, firmware_id, config, selection, stage_percents,
      advance_percent, dwell_minutes, stop_percent, timeout_minutes, starts_at, actor_id, actor_name)
    values (${tenantId}, ${rollout.name.trim()}, ${rollout.kind}, ${rollout.firmwareId ?? null},
      ${config}::jsonb, ${selection}::jsonb, ${rollout.stagePercents}, ${rollout.advancePercent},
      ${rollout.dwellMinutes}, ${rollout.stopPercent}, ${rollout.timeoutMinutes},
      coalesce(${rollout.startsAt ?? null}::timestamptz, now()), ${actor.operatorId},
      ${actor.displayName})
    returning id`);
  return { tenantId, id };
}

/** Skips cabinets that have joined another roll-out of this kind meanwhile; returns the number inserted. */
export async function insertTargets(
  db: Db,
  { tenantId, id }: RolloutKey,
  kind: RolloutKind,
  targets: readonly { cabinetId: number; stage: number; fromVersion: string | null }[],
): Promise<number> {
  return db.run(sql`
    insert into rollout_target (tenant_id, rollout_id, cabinet_id, kind, stage, from_version)
    select ${tenantId}, ${id}, x."cabinetId", ${kind}, x.stage, x."fromVersion"
    from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb)
      as x("cabinetId" bigint, stage int, "fromVersion" text)
    on conflict do nothing`);
}
