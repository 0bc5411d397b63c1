// SQL that selects the cabinets of a roll-out and inserts it with the drawn stages.
import type { NewRollout } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import type { RolloutKind } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { and, sql } from "../../../platform/db/sql.ts";
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
  const cabinet = sql`cabinet`;
  const conditions = and(
    cabinetPredicate(session, cabinet, tenantId),
    sql`cabinet.tenant_id = ${tenantId}`,
    sql`cabinet.lifecycle <> 'RETIRED'`,
    modelId && sql`cabinet.model_id = ${modelId}`,
    storeId && sql`cabinet.store_id = ${storeId}`,
    side && sql`model.side = ${side}`,
    cabinetIds && sql`cabinet.id = any(${cabinetIds})`,
  );
  return db.many(sql`
    select cabinet.id, cabinet.app_version, ${isConnectedSql(cabinet)} as is_online,
      ${firmwareId ?? null}::bigint is null or exists (
        select from firmware_model
        where firmware_model.firmware_id = ${firmwareId ?? null} and firmware_model.model_id = cabinet.model_id) as is_of_model,
      exists (
        select from rollout_target target
        where target.tenant_id = cabinet.tenant_id and target.cabinet_id = cabinet.id
          and target.kind = ${kind}
          and target.state in ('WAITING', 'SENT', 'ACCEPTED', 'DOWNLOADING',
            'INSTALLING')) as is_busy
    from cabinet join cabinet_model model on model.id = cabinet.model_id
    where ${conditions}
    order by cabinet.id`);
}

/** Number of `ids` in this tenant that the account may see. */
export async function countCabinetsIn(
  db: Db,
  session: Session,
  tenantId: number,
  ids: readonly number[],
): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from cabinet
    where cabinet.id = any(${ids}) and cabinet.tenant_id = ${tenantId}
      and ${cabinetPredicate(session, sql`cabinet`, tenantId)}`);
  return count;
}

export interface ReleasedFirmware {
  version: string;
  minVersion: string;
}

export function findReleased(db: Db, id: number): Promise<ReleasedFirmware | null> {
  return db.maybe(sql`
    select version, min_version from firmware where id = ${id} and state = 'RELEASED'`);
}

export async function insertRollout(
  db: Db,
  tenantId: number,
  rollout: NewRollout,
  actor: { operatorId: number; signature: string },
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
      ${actor.signature})
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
    select ${tenantId}, ${id}, input."cabinetId", ${kind}, input.stage, input."fromVersion"
    from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb)
      as input("cabinetId" bigint, stage int, "fromVersion" text)
    on conflict do nothing`);
}
