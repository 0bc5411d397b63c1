// SQL of a roll-out's lifecycle; its row is locked first, so that one worker decides at a time.
import type { RolloutState } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";
import { isConnectedSql } from "../../link/device/index.ts";
import { cabinetPredicate } from "../cabinet/index.ts";
import { lostDetail, offlineDetail, retiredDetail, timedOutDetail } from "./job-detail.rules.ts";
import {
  isFailedSql,
  isInFlightSql,
  type RolloutKey,
  rolloutPredicate,
} from "./rollout-scope.sql.ts";

const t = sql`t`;

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
  r.tenant_id as "tenantId", r.id, r.name, r.kind, r.config, r.state, r.stage,
  r.stage_percents as "stagePercents", r.advance_percent as "advancePercent",
  r.dwell_minutes as "dwellMinutes", r.stop_percent as "stopPercent",
  r.timeout_minutes as "timeoutMinutes",
  (extract(epoch from now() - r.stage_reached_at) * 1000)::float8 as "reachedForMs",
  r.starts_at <= now() as "isDue",
  coalesce((select f.state = 'RELEASED' from firmware f where f.id = r.firmware_id), true)
    as "isReleased"`;

export function lockRollout(db: Db, { tenantId, id }: RolloutKey): Promise<LockedRollout | null> {
  return db.maybe(sql`
    select ${locked} from rollout r where r.tenant_id = ${tenantId} and r.id = ${id}
    for no key update of r`);
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
    select ${locked} from rollout r
    where r.id = ${id} and ${rolloutPredicate(session, sql`r`)} and not exists (
      select from rollout_target wt
      join cabinet wc on wc.tenant_id = wt.tenant_id and wc.id = wt.cabinet_id
      where wt.tenant_id = r.tenant_id and wt.rollout_id = r.id
        and not (${cabinetPredicate(session, sql`wc`)}))
    for no key update of r`);
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
    update rollout_target t set version = t.version + 1,
      state = case when ${isConnectedSql(sql`c`)} or t.state = 'INSTALLING' then 'TIMED_OUT'
        else 'WAITING' end,
      detail = case when t.state = 'INSTALLING' then ${lostDetail}
        when ${isConnectedSql(sql`c`)} then ${timedOutDetail} else ${offlineDetail} end,
      settled_at = case when ${isConnectedSql(sql`c`)} or t.state = 'INSTALLING' then now() end
    from cabinet c
    where t.tenant_id = ${tenantId} and t.rollout_id = ${id} and ${isInFlightSql(t)}
      and t.progressed_at < now() - make_interval(mins => ${timeoutMinutes})
      and c.tenant_id = t.tenant_id and c.id = t.cabinet_id
      and (t.kind = 'FIRMWARE' or ${isConnectedSql(sql`c`)})`);
}

export function cancelRetired(db: Db, { tenantId, id }: RolloutKey): Promise<number> {
  return db.run(sql`
    update rollout_target t set state = 'CANCELLED', detail = ${retiredDetail},
      version = t.version + 1, settled_at = now()
    from cabinet c
    where t.tenant_id = ${tenantId} and t.rollout_id = ${id} and t.state = 'WAITING'
      and c.tenant_id = t.tenant_id and c.id = t.cabinet_id and c.lifecycle = 'RETIRED'`);
}

/** Cap of cabinets in flight per roll-out, so that a stage is no download storm. */
export const MOST_IN_FLIGHT = 50;

/** Number of targets in flight; disconnected cabinets do not occupy a slot. */
export function busySql(tenantId: Sql, rolloutId: Sql): Sql {
  return sql`(select count(*) from rollout_target bt
    join cabinet bc on bc.tenant_id = bt.tenant_id and bc.id = bt.cabinet_id
    where bt.tenant_id = ${tenantId} and bt.rollout_id = ${rolloutId}
      and ${isInFlightSql(sql`bt`)} and ${isConnectedSql(sql`bc`)})`;
}

/** A SENT job without reply for this long counts as a lost frame. */
const UNANSWERED_SECONDS = 60;

/** Connected cabinets that can be offered a waiting job, or did not reply to one. */
export function findOfferable(
  db: Db,
  { tenantId, id, stage }: LockedRollout,
): Promise<{ cabinetId: number }[]> {
  return db.many(sql`
    (select t.cabinet_id as "cabinetId" from rollout_target t
      join cabinet c on c.tenant_id = t.tenant_id and c.id = t.cabinet_id
      where t.tenant_id = ${tenantId} and t.rollout_id = ${id} and t.state = 'WAITING'
        and t.stage <= ${stage} and (t.not_before is null or t.not_before <= now())
        and ${isConnectedSql(sql`c`)}
      order by t.stage, t.cabinet_id
      limit greatest(0, ${MOST_IN_FLIGHT} - ${busySql(sql`${tenantId}`, sql`${id}`)}))
    union all
    select t.cabinet_id from rollout_target t
      join cabinet c on c.tenant_id = t.tenant_id and c.id = t.cabinet_id
      where t.tenant_id = ${tenantId} and t.rollout_id = ${id} and t.state = 'SENT'
        and t.sent_at < now() - make_interval(secs => ${UNANSWERED_SECONDS})
        and ${isConnectedSql(sql`c`)}`);
}

export function cancelWaiting(db: Db, { tenantId, id }: RolloutKey): Promise<number> {
  return db.run(sql`
    update rollout_target set state = 'CANCELLED', version = version + 1, settled_at = now()
    where tenant_id = ${tenantId} and rollout_id = ${id} and state = 'WAITING'`);
}

/** Acknowledges the failures so far: they do not stop the roll-out again. */
export function excuseFailures(db: Db, { tenantId, id }: RolloutKey): Promise<number> {
  return db.run(sql`
    update rollout_target t set is_excused = true
    where t.tenant_id = ${tenantId} and t.rollout_id = ${id} and ${isFailedSql(t)}
      and not t.is_excused`);
}

/** Sets failed targets to WAITING, except cabinets that have joined another roll-out of this kind. */
export function retryFailures(db: Db, { tenantId, id }: RolloutKey): Promise<number> {
  return db.run(sql`
    update rollout_target t set state = 'WAITING', detail = null, is_excused = false,
      not_before = null, settled_at = null, version = t.version + 1
    where t.tenant_id = ${tenantId} and t.rollout_id = ${id} and ${isFailedSql(t)}
      and not exists (
        select from rollout_target o
        where o.tenant_id = t.tenant_id and o.cabinet_id = t.cabinet_id and o.kind = t.kind
          and o.state in ('WAITING', 'SENT', 'ACCEPTED', 'DOWNLOADING', 'INSTALLING'))`);
}

/** Roll-outs that may need a step. */
export function findOpenRollouts(db: Db): Promise<RolloutKey[]> {
  return db.many(sql`
    select tenant_id as "tenantId", id from rollout
    where state in ('SCHEDULED', 'RUNNING') and starts_at <= now()
    union
    select tenant_id, rollout_id from rollout_target t where ${isInFlightSql(t)}`);
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
    returning tenant_id as "tenantId", id`);
  for (const key of stopped) {
    await insertRolloutEvent(db, key, { kind: "STOPPED", text: reason, actorName });
  }
  return stopped;
}
