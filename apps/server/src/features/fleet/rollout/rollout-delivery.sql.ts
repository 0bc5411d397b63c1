// Claims what waits for a cabinet, once, by the gateway that serves it and in its current session.
import type { CabinetConfig } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import {
  type CabinetKey,
  type Gateway,
  isConnectedSql,
  isReachedBySql,
  mergeDesiredConfig,
  replaceDesiredConfigs,
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
    select cabinet.sn, cabinet.connection_kid as kid, cabinet.epoch from cabinet
    where cabinet.tenant_id = ${tenantId} and cabinet.id = ${cabinetId} and cabinet.lifecycle <> 'RETIRED'
      and ${isConnectedSql(sql`cabinet`)} and ${isReachedBySql(sql`cabinet`, gateway)}
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

const mayBegin = sql`rollout.state = 'RUNNING' and target.stage <= rollout.stage
  and (target.not_before is null or target.not_before <= now())
  and ${busySql(sql`target.tenant_id`, sql`target.rollout_id`)} < ${MOST_IN_FLIGHT}`;

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
      select target.rollout_id, target.cabinet_id, target.version, target.state
      from rollout_target target join rollout on rollout.tenant_id = target.tenant_id
        and rollout.id = target.rollout_id
      where target.tenant_id = ${tenantId} and target.cabinet_id = ${cabinetId} and target.kind = 'FIRMWARE'
        and ((target.state = 'WAITING' and ${mayBegin})
          or (target.state in ('SENT', 'ACCEPTED', 'DOWNLOADING') and target.epoch < ${epoch})
          or (target.state = 'SENT'
            and target.sent_at < now() - make_interval(secs => ${unansweredSeconds})))
        and exists (select from firmware where firmware.id = rollout.firmware_id
          and firmware.state = 'RELEASED')
      limit 1
    ), claimed as (
      update rollout_target target set state = 'SENT', detail = null, epoch = ${epoch},
        sent_at = now(),
        version = target.version + 1, progressed_at = now(),
        job_id = case when due.state = 'WAITING' then gen_random_uuid() else target.job_id end,
        attempts = target.attempts + case when due.state = 'WAITING' then 1 else 0 end
      from due
      where target.tenant_id = ${tenantId} and target.rollout_id = due.rollout_id
        and target.cabinet_id = due.cabinet_id and target.version = due.version
      returning target.rollout_id, target.job_id
    )
    select claimed.rollout_id, claimed.job_id, firmware.version, firmware.min_version,
      firmware.file_id, firmware.size_bytes as size, firmware.sha256, firmware.signature
    from claimed
    join rollout on rollout.tenant_id = ${tenantId} and rollout.id = claimed.rollout_id
    join firmware on firmware.id = rollout.firmware_id`);
}

interface DueConfig {
  rolloutId: number;
  config: CabinetConfig;
  oldConfig: CabinetConfig;
  isThere: boolean;
}

/**
 * WAITING → SENT: merges the parameters into desired_config and keeps the old value for a revert. Raises the
 * config version only on a change; a cabinet that already reports the values succeeds at once.
 */
export async function claimConfig(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  epoch: number,
): Promise<TargetChange | null> {
  const due = await db.maybe<DueConfig>(sql`
    select target.rollout_id, rollout.config, cabinet.desired_config as old_config,
      cabinet.desired_config @> rollout.config
        and coalesce(cabinet.reported_config @> rollout.config, false) as is_there
    from rollout_target target
    join rollout on rollout.tenant_id = target.tenant_id and rollout.id = target.rollout_id
    join cabinet on cabinet.tenant_id = target.tenant_id and cabinet.id = target.cabinet_id
    where target.tenant_id = ${tenantId} and target.cabinet_id = ${cabinetId} and target.kind = 'CONFIG'
      and target.state = 'WAITING' and ${mayBegin}
    limit 1
    -- Waits for a concurrent cancellation; the row then no longer matches and nothing is sent.
    for no key update of target`);
  if (!due) return null;
  await mergeDesiredConfig(db, [tenantId], [cabinetId], due.config);
  return db.one(sql`
    update rollout_target target set state = ${due.isThere ? "SUCCEEDED" : "SENT"},
      settled_at = ${due.isThere ? sql`now()` : null},
      detail = null, epoch = ${epoch}, attempts = target.attempts + 1, version = target.version + 1,
      sent_at = now(), progressed_at = now(),
      desired_config_version = cabinet.desired_config_version,
      -- Keep the first value: on a retry desired_config already contains this roll-out's parameters.
      old_config = coalesce(target.old_config, ${JSON.stringify(due.oldConfig)}::jsonb)
    from cabinet
    where target.tenant_id = ${tenantId} and target.rollout_id = ${due.rolloutId}
      and target.cabinet_id = ${cabinetId} and cabinet.tenant_id = ${tenantId}
      and cabinet.id = ${cabinetId}
    returning target.cabinet_id, target.rollout_id, target.state`);
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
    select cabinet.id as cabinet_id from cabinet
    where cabinet.tenant_id = ${tenantId} and cabinet.id in (
      select target.cabinet_id from rollout_target target
      where target.tenant_id = ${tenantId} and target.rollout_id = ${rolloutId}
        and target.old_config is not null and target.state <> 'REVERTED')
    order by cabinet.id
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
  const changed = await replaceDesiredConfigs(
    db,
    tenantId,
    sql`
      select target.cabinet_id, (
          select coalesce(jsonb_object_agg(key, value), '{}') from (
            select pair.key, case when rollout.config -> pair.key = pair.value
              then target.old_config -> pair.key
              else pair.value end as value
            from jsonb_each(now_cabinet.desired_config) pair
          ) kept where value is not null) as config
      from rollout_target target
      join rollout on rollout.tenant_id = target.tenant_id and rollout.id = target.rollout_id
      join cabinet now_cabinet on now_cabinet.tenant_id = target.tenant_id
        and now_cabinet.id = target.cabinet_id
      where target.tenant_id = ${tenantId} and target.rollout_id = ${rolloutId}
        and target.old_config is not null and target.state <> 'REVERTED'`,
  );
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
    select 1 from rollout_target target
    join rollout on rollout.tenant_id = target.tenant_id and rollout.id = target.rollout_id
    join firmware on firmware.id = rollout.firmware_id
    where target.tenant_id = ${tenantId} and target.cabinet_id = ${cabinetId} and firmware.file_id = ${fileId}
      and ${isInFlightSql(sql`target`)}`);
  return found !== null;
}
