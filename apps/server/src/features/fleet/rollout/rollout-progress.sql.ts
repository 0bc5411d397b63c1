// SQL of a roll-out's lifecycle; its row is locked first, so that one worker decides at a time.
import type { RolloutState } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { isConnectedSql } from "../../link/device/index.ts";
import { cabinetPredicate } from "../cabinet/index.ts";
import { lostDetail, offlineDetail, retiredDetail, timedOutDetail } from "./job-detail.rules.ts";
import {
  isFailedSql,
  isInFlightSql,
  type RolloutKey,
  rolloutPredicate,
} from "./rollout-scope.sql.ts";

const target = sql`target`;

export interface LockedRollout extends RolloutKey {
  name: string;
  kind: "FIRMWARE" | "CONFIG";
  config: Record<string, unknown> | null;
  state: RolloutState;
  stage: number;
  stagePercents: number[];
  advancePercent: number;
  dwellMinutes: number;
  stopPercent: number;
  timeoutMinutes: number;
  reachedForMs: number | null;
  isDue: boolean;
  /** The firmware is released; true for parameters. */
  isReleased: boolean;
}

const locked = sql`
  rollout.tenant_id, rollout.id, rollout.name, rollout.kind, rollout.config, rollout.state,
  rollout.stage, rollout.stage_percents, rollout.advance_percent, rollout.dwell_minutes,
  rollout.stop_percent, rollout.timeout_minutes,
  (extract(epoch from now() - rollout.stage_reached_at) * 1000)::float8 as reached_for_ms,
  rollout.starts_at <= now() as is_due,
  coalesce((select firmware.state = 'RELEASED' from firmware
    where firmware.id = rollout.firmware_id), true)
    as is_released`;

export function lockRollout(db: Db, { tenantId, id }: RolloutKey): Promise<LockedRollout | null> {
  return db.maybe(sql`
    select ${locked} from rollout where rollout.tenant_id = ${tenantId} and rollout.id = ${id}
    for no key update of rollout`);
}

/**
 * Locks the roll-out for an operator; null when missing or not visible as a whole. Maintenance staff see a
 * roll-out that also covers other stores, but may not change it.
 */
export function lockRolloutFor(
  db: Db,
  session: Session,
  id: number,
): Promise<LockedRollout | null> {
  return db.maybe(sql`
    select ${locked} from rollout
    where rollout.id = ${id} and ${rolloutPredicate(session, sql`rollout`)} and not exists (
      select from rollout_target waiting_target
      join cabinet waiting_cabinet on waiting_cabinet.tenant_id = waiting_target.tenant_id
        and waiting_cabinet.id = waiting_target.cabinet_id
      where waiting_target.tenant_id = rollout.tenant_id and waiting_target.rollout_id = rollout.id
        and not (${cabinetPredicate(session, sql`waiting_cabinet`)}))
    for no key update of rollout`);
}

export async function updateRolloutState(
  db: Db,
  { tenantId, id }: RolloutKey,
  state: RolloutState,
  reason: string | null = null,
): Promise<void> {
  await db.run(sql`
    update rollout set state = ${state}, state_reason = ${reason},
      started_at = case when ${state} = 'RUNNING' then coalesce(started_at, now()) else started_at end,
      ended_at = case when ${state} in ('FINISHED', 'CANCELLED') then now() end,
      stage_reached_at = case when ${state} = 'RUNNING' then null else stage_reached_at end
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function updateStage(
  db: Db,
  { tenantId, id }: RolloutKey,
  stage: number,
): Promise<void> {
  await db.run(sql`
    update rollout set stage = ${stage}, stage_reached_at = null
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function updateReached(
  db: Db,
  { tenantId, id }: RolloutKey,
  isReached: boolean,
): Promise<void> {
  await db.run(sql`
    update rollout set stage_reached_at = case when ${isReached} then now() end
    where tenant_id = ${tenantId} and id = ${id}`);
}

export interface RolloutNote {
  kind: string;
  /** 0-based. */
  stage?: number;
  text?: string;
  actorName?: string;
}

export async function insertRolloutEvent(
  db: Db,
  { tenantId, id }: RolloutKey,
  { kind, stage, text = "", actorName }: RolloutNote,
): Promise<void> {
  await db.run(sql`
    insert into rollout_event (tenant_id, rollout_id, kind, stage, text, actor_name)
    values (${tenantId}, ${id}, ${kind}, ${stage === undefined ? null : stage + 1}, ${text},
      ${actorName ?? null})`);
}

/**
 * Settles targets without progress for `timeoutMinutes`. Offline before installing: back to WAITING (parameters
 * stay in desired_config and arrive on reconnect). Connected, or silent while INSTALLING: TIMED_OUT.
 */
export function settleSilent(
  db: Db,
  { tenantId, id, timeoutMinutes }: LockedRollout,
): Promise<number> {
  return db.run(sql`
    update rollout_target target set version = target.version + 1,
      state = case when ${isConnectedSql(sql`cabinet`)} or target.state = 'INSTALLING'
        then 'TIMED_OUT'
        else 'WAITING' end,
      detail = case when target.state = 'INSTALLING' then ${lostDetail}
        when ${isConnectedSql(sql`cabinet`)} then ${timedOutDetail} else ${offlineDetail} end,
      settled_at = case when ${isConnectedSql(sql`cabinet`)} or target.state = 'INSTALLING'
        then now() end
    from cabinet
    where target.tenant_id = ${tenantId} and target.rollout_id = ${id} and ${isInFlightSql(target)}
      and target.progressed_at < now() - make_interval(mins => ${timeoutMinutes})
      and cabinet.tenant_id = target.tenant_id and cabinet.id = target.cabinet_id
      and (target.kind = 'FIRMWARE' or ${isConnectedSql(sql`cabinet`)})`);
}

export function cancelRetired(db: Db, { tenantId, id }: RolloutKey): Promise<number> {
  return db.run(sql`
    update rollout_target target set state = 'CANCELLED', detail = ${retiredDetail},
      version = target.version + 1, settled_at = now()
    from cabinet
    where target.tenant_id = ${tenantId} and target.rollout_id = ${id} and target.state = 'WAITING'
      and cabinet.tenant_id = target.tenant_id and cabinet.id = target.cabinet_id
      and cabinet.lifecycle = 'RETIRED'`);
}

/** Cap of cabinets in flight per roll-out, so that a stage is no download storm. */
export const MOST_IN_FLIGHT = 50;

/** Number of targets in flight; disconnected cabinets do not occupy a slot. */
export function busySql(tenantId: Sql, rolloutId: Sql): Sql {
  return sql`(select count(*) from rollout_target busy_target
    join cabinet busy_cabinet on busy_cabinet.tenant_id = busy_target.tenant_id
      and busy_cabinet.id = busy_target.cabinet_id
    where busy_target.tenant_id = ${tenantId} and busy_target.rollout_id = ${rolloutId}
      and ${isInFlightSql(sql`busy_target`)} and ${isConnectedSql(sql`busy_cabinet`)})`;
}

/** A SENT job without reply for this long counts as a lost frame. */
const UNANSWERED_SECONDS = 60;

/** Connected cabinets that can be offered a waiting job, or did not reply to one. */
export function findOfferable(
  db: Db,
  { tenantId, id, stage }: LockedRollout,
): Promise<{ cabinetId: number }[]> {
  return db.many(sql`
    (select target.cabinet_id from rollout_target target
      join cabinet on cabinet.tenant_id = target.tenant_id and cabinet.id = target.cabinet_id
      where target.tenant_id = ${tenantId} and target.rollout_id = ${id} and target.state = 'WAITING'
        and target.stage <= ${stage} and (target.not_before is null or target.not_before <= now())
        and ${isConnectedSql(sql`cabinet`)}
      order by target.stage, target.cabinet_id
      limit greatest(0, ${MOST_IN_FLIGHT} - ${busySql(sql`${tenantId}`, sql`${id}`)}))
    union all
    select target.cabinet_id from rollout_target target
      join cabinet on cabinet.tenant_id = target.tenant_id and cabinet.id = target.cabinet_id
      where target.tenant_id = ${tenantId} and target.rollout_id = ${id} and target.state = 'SENT'
        and target.sent_at < now() - make_interval(secs => ${UNANSWERED_SECONDS})
        and ${isConnectedSql(sql`cabinet`)}`);
}

export function cancelWaiting(db: Db, { tenantId, id }: RolloutKey): Promise<number> {
  return db.run(sql`
    update rollout_target set state = 'CANCELLED', version = version + 1, settled_at = now()
    where tenant_id = ${tenantId} and rollout_id = ${id} and state = 'WAITING'`);
}

/** Acknowledges the failures so far: they do not stop the roll-out again. */
export function excuseFailures(db: Db, { tenantId, id }: RolloutKey): Promise<number> {
  return db.run(sql`
    update rollout_target target set is_excused = true
    where target.tenant_id = ${tenantId} and target.rollout_id = ${id} and ${isFailedSql(target)}
      and not target.is_excused`);
}

/** Sets failed targets to WAITING, except cabinets that have joined another roll-out of this kind. */
export function retryFailures(db: Db, { tenantId, id }: RolloutKey): Promise<number> {
  return db.run(sql`
    update rollout_target target set state = 'WAITING', detail = null, is_excused = false,
      not_before = null, settled_at = null, version = target.version + 1
    where target.tenant_id = ${tenantId} and target.rollout_id = ${id} and ${isFailedSql(target)}
      and not exists (
        select from rollout_target other_target
        where other_target.tenant_id = target.tenant_id
          and other_target.cabinet_id = target.cabinet_id and other_target.kind = target.kind
          and other_target.state in ('WAITING', 'SENT', 'ACCEPTED', 'DOWNLOADING', 'INSTALLING'))`);
}

/** Roll-outs that may need a step. */
export function findOpenRollouts(db: Db): Promise<RolloutKey[]> {
  return db.many(sql`
    select tenant_id, id from rollout
    where state in ('SCHEDULED', 'RUNNING') and starts_at <= now()
    union
    select tenant_id, rollout_id from rollout_target target where ${isInFlightSql(target)}`);
}

/** Stops every open roll-out of this firmware; returns them. */
export async function stopRolloutsOf(
  db: Db,
  firmwareId: number,
  reason: string,
  actorName: string,
): Promise<RolloutKey[]> {
  const stopped = await db.many<RolloutKey>(sql`
    update rollout set state = 'STOPPED', state_reason = ${reason}
    where firmware_id = ${firmwareId} and state in ('SCHEDULED', 'RUNNING', 'PAUSED')
    returning tenant_id, id`);
  for (const key of stopped) {
    await insertRolloutEvent(db, key, { kind: "STOPPED", text: reason, actorName });
  }
  return stopped;
}
