// Claims what waits for a cabinet, once, by the gateway that serves it and in its current session.
import { type Db, sql } from "../../../platform/db/db.ts";
import {
  type CabinetKey,
  type Gateway,
  isConnectedSql,
  isReachedBySql,
} from "../../link/device/index.ts";
import { busySql, MOST_IN_FLIGHT } from "./rollout-progress.sql.ts";
import type { TargetChange } from "./rollout-report.sql.ts";
import { isInFlightSql } from "./rollout-scope.sql.ts";

export interface ConnectedCabinet {
  sn: string;
  kid: string;
  epoch: number;
}

/** Locks the cabinet before its targets, as reports do; null when this gateway does not serve it. */
export function lockConnected(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  gateway: Gateway,
): Promise<ConnectedCabinet | null> {
  return db.maybe(sql`
    select c.sn, c.connection_kid as kid, c.epoch from cabinet c
    where c.tenant_id = ${tenantId} and c.id = ${cabinetId} and c.lifecycle <> 'RETIRED'
      and ${isConnectedSql(sql`c`)} and ${isReachedBySql(sql`c`, gateway)}
    for no key update`);
}

export interface FirmwareJob {
  rolloutId: number;
  jobId: string;
  version: string;
  minVersion: string;
  fileId: string;
  size: number;
  sha256: string;
  signature: string;
}

const mayBegin = sql`r.state = 'RUNNING' and t.stage <= r.stage
  and (t.not_before is null or t.not_before <= now())
  and ${busySql(sql`t.tenant_id`, sql`t.rollout_id`)} < ${MOST_IN_FLIGHT}`;

/**
 * WAITING → SENT as a new attempt with a new job; or resends the same job after a new session or a missing
 * reply. INSTALLING targets are left alone: their birth message decides.
 */
export function claimFirmware(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  epoch: number,
  unansweredSeconds: number,
): Promise<FirmwareJob | null> {
  return db.maybe(sql`
    with due as (
      select t.rollout_id, t.cabinet_id, t.version, t.state
      from rollout_target t join rollout r on r.tenant_id = t.tenant_id and r.id = t.rollout_id
      where t.tenant_id = ${tenantId} and t.cabinet_id = ${cabinetId} and t.kind = 'FIRMWARE'
        and ((t.state = 'WAITING' and ${mayBegin})
          or (t.state in ('SENT', 'ACCEPTED', 'DOWNLOADING') and t.epoch < ${epoch})
          or (t.state = 'SENT'
            and t.sent_at < now() - make_interval(secs => ${unansweredSeconds})))
        and exists (select from firmware f where f.id = r.firmware_id and f.state = 'RELEASED')
      limit 1
    ), claimed as (
      update rollout_target t set state = 'SENT', detail = null, epoch = ${epoch}, sent_at = now(),
        version = t.version + 1, progressed_at = now(),
        job_id = case when d.state = 'WAITING' then gen_random_uuid() else t.job_id end,
        attempts = t.attempts + case when d.state = 'WAITING' then 1 else 0 end
      from due d
      where t.tenant_id = ${tenantId} and t.rollout_id = d.rollout_id
        and t.cabinet_id = d.cabinet_id and t.version = d.version
      returning t.rollout_id, t.job_id
    )
    select k.rollout_id as "rolloutId", k.job_id as "jobId", f.version,
      f.min_version as "minVersion", f.file_id as "fileId", f.size_bytes as size, f.sha256,
      f.signature
    from claimed k
    join rollout r on r.tenant_id = ${tenantId} and r.id = k.rollout_id
    join firmware f on f.id = r.firmware_id`);
}

/**
 * WAITING → SENT: merges the parameters into desired_config and keeps the old value for a revert. Raises the
 * config version only on a change; a cabinet that already reports the values succeeds at once.
 */
export function claimConfig(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  epoch: number,
): Promise<TargetChange | null> {
  return db.maybe(sql`
    with due as (
      select t.rollout_id, t.version, r.config, c.desired_config,
        c.desired_config @> r.config as is_wished,
        c.desired_config @> r.config and coalesce(c.reported_config @> r.config, false)
          as is_there
      from rollout_target t
      join rollout r on r.tenant_id = t.tenant_id and r.id = t.rollout_id
      join cabinet c on c.tenant_id = t.tenant_id and c.id = t.cabinet_id
      where t.tenant_id = ${tenantId} and t.cabinet_id = ${cabinetId} and t.kind = 'CONFIG'
        and t.state = 'WAITING' and ${mayBegin}
      limit 1
      -- Waits for a concurrent cancellation; the row then no longer matches and nothing is sent.
      for no key update of t
    ), wished as (
      update cabinet c set desired_config = c.desired_config || d.config,
        desired_config_version = c.desired_config_version + case when d.is_wished then 0 else 1 end,
        desired_config_at = case when d.is_wished then c.desired_config_at else now() end
      from due d where c.tenant_id = ${tenantId} and c.id = ${cabinetId}
      returning c.desired_config_version
    )
    update rollout_target t set
      state = case when d.is_there then 'SUCCEEDED' else 'SENT' end,
      settled_at = case when d.is_there then now() end,
      detail = null, epoch = ${epoch}, attempts = t.attempts + 1, version = t.version + 1,
      sent_at = now(), progressed_at = now(), desired_config_version = w.desired_config_version,
      -- Keep the first value: on a retry desired_config already contains this roll-out's parameters.
      old_config = coalesce(t.old_config, d.desired_config)
    from due d, wished w
    where t.tenant_id = ${tenantId} and t.rollout_id = d.rollout_id
      and t.cabinet_id = ${cabinetId} and t.version = d.version
    returning t.cabinet_id as "cabinetId", t.rollout_id as "rolloutId", t.state`);
}

/** True when sent parameters are unanswered for too long: they are sent again. */
export async function claimUnansweredConfig(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  unansweredSeconds: number,
): Promise<boolean> {
  const claimed = await db.run(sql`
    update rollout_target set sent_at = now()
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and kind = 'CONFIG'
      and state = 'SENT' and sent_at < now() - make_interval(secs => ${unansweredSeconds})`);
  return claimed > 0;
}

/** Cabinets whose desired config this roll-out changed, locked in ascending id order. */
export function lockChanged(
  db: Db,
  tenantId: number,
  rolloutId: number,
): Promise<{ cabinetId: number }[]> {
  return db.many(sql`
    select c.id as "cabinetId" from cabinet c
    where c.tenant_id = ${tenantId} and c.id in (
      select t.cabinet_id from rollout_target t
      where t.tenant_id = ${tenantId} and t.rollout_id = ${rolloutId}
        and t.old_config is not null and t.state <> 'REVERTED')
    order by c.id
    for no key update`);
}

/**
 * Reverts the parameters that still have this roll-out's value, so that no newer change is lost. A parameter
 * that was not set before becomes unset again.
 */
export async function revertConfig(
  db: Db,
  tenantId: number,
  rolloutId: number,
): Promise<{ cabinetId: number }[]> {
  const changed = await db.many<{ cabinetId: number }>(sql`
    update cabinet c set desired_config_version = c.desired_config_version + 1,
      desired_config = x.restored, desired_config_at = now()
    from (
      select t.cabinet_id, (
          select coalesce(jsonb_object_agg(key, value), '{}') from (
            select d.key, case when r.config -> d.key = d.value then t.old_config -> d.key
              else d.value end as value
            from jsonb_each(now_c.desired_config) d
          ) kept where value is not null) as restored
      from rollout_target t
      join rollout r on r.tenant_id = t.tenant_id and r.id = t.rollout_id
      join cabinet now_c on now_c.tenant_id = t.tenant_id and now_c.id = t.cabinet_id
      where t.tenant_id = ${tenantId} and t.rollout_id = ${rolloutId}
        and t.old_config is not null and t.state <> 'REVERTED'
    ) x
    where c.tenant_id = ${tenantId} and c.id = x.cabinet_id and c.desired_config <> x.restored
    returning c.id as "cabinetId"`);
  await db.run(sql`
    update rollout_target set state = 'REVERTED', version = version + 1, settled_at = now()
    where tenant_id = ${tenantId} and rollout_id = ${rolloutId} and old_config is not null
      and state <> 'REVERTED'`);
  return changed;
}

/** The cabinet has a job in flight with this file. */
export async function hasJobWithFile(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  fileId: string,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from rollout_target t
    join rollout r on r.tenant_id = t.tenant_id and r.id = t.rollout_id
    join firmware f on f.id = r.firmware_id
    where t.tenant_id = ${tenantId} and t.cabinet_id = ${cabinetId} and f.file_id = ${fileId}
      and ${isInFlightSql(sql`t`)}`);
  return found !== null;
}
