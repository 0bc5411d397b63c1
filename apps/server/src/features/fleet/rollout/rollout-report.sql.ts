// Effects of cabinet reports on roll-out targets: idempotent, and only from the states a step may follow.
import { mayFollow, TARGET_STATES } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { BornCabinet, CabinetKey } from "../../link/device/index.ts";
import {
  type JobOutcome,
  notTakenDetail,
  oldProgramDetail,
  overtakenDetail,
} from "./job-detail.rules.ts";

const transitions = JSON.stringify(
  TARGET_STATES.flatMap((from) =>
    TARGET_STATES.filter((to) => mayFollow(from, to)).map((to) => ({ from, to })),
  ),
);

export interface TargetChange {
  cabinetId: number;
  rolloutId: number;
  state: string;
}

const change = sql`target.cabinet_id, target.rollout_id, target.state`;

/** Applies a job's result to its current attempt; a cabinet that already runs the version succeeds. */
export function applyJobOutcome(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  jobId: string,
  { state, detail, againAfter }: JobOutcome,
  bootNo: number,
): Promise<TargetChange | null> {
  return db.maybe(sql`
    update rollout_target target set state = outcome.state, version = target.version + 1,
      detail = ${detail},
      progressed_at = now(),
      installed_boot_no = case when outcome.state = 'INSTALLING' then ${bootNo}::bigint end,
      not_before = now() + make_interval(secs => ${againAfter}::int),
      settled_at = case when outcome.state in ('SUCCEEDED', 'FAILED', 'REFUSED') then now() end
    from (
      select rollout.id, case when ${state} = 'INSTALLING'
        and cabinet.app_version = firmware.version
        then 'SUCCEEDED' else ${state} end as state
      from rollout_target job_target
      join rollout on rollout.tenant_id = job_target.tenant_id
        and rollout.id = job_target.rollout_id
      join firmware on firmware.id = rollout.firmware_id
      join cabinet on cabinet.tenant_id = job_target.tenant_id
        and cabinet.id = job_target.cabinet_id
      where job_target.tenant_id = ${tenantId} and job_target.cabinet_id = ${cabinetId} and job_target.job_id = ${jobId}
    ) outcome, jsonb_to_recordset(${transitions}::jsonb) as transition("from" text, "to" text)
    where target.tenant_id = ${tenantId} and target.cabinet_id = ${cabinetId} and target.job_id = ${jobId}
      and target.rollout_id = outcome.id and transition."from" = target.state
      and transition."to" = outcome.state
    returning ${change}`);
}

/** Cabinets with an open target, or one that timed out while they were silent. */
export async function findConcerned(
  db: Db,
  tenantId: number,
  cabinetIds: readonly number[],
): Promise<number[]> {
  const rows = await db.many<{ id: number }>(sql`
    select cabinet_id as id from rollout_target
      where tenant_id = ${tenantId} and cabinet_id = any(${cabinetIds})
        and state in ('WAITING', 'SENT', 'ACCEPTED', 'DOWNLOADING', 'INSTALLING')
    union
    select cabinet_id from rollout_target
      where tenant_id = ${tenantId} and cabinet_id = any(${cabinetIds}) and state = 'TIMED_OUT'`);
  return rows.map(({ id }) => id);
}

/**
 * Settles firmware targets by the version in a birth message: the new one succeeds; another one, after a
 * restart since INSTALLED, fails. Returns the changed targets.
 */
export function applyBirthVersions(
  db: Db,
  tenantId: number,
  births: readonly BornCabinet[],
): Promise<TargetChange[]> {
  return db.many(sql`
    update rollout_target target set version = target.version + 1, settled_at = now(),
      state = case when firmware.version = input."appVersion" then 'SUCCEEDED' else 'FAILED' end,
      detail = case when firmware.version <> input."appVersion"
        then ${oldProgramDetail} || input."appVersion" end
    from jsonb_to_recordset(${JSON.stringify(births)}::jsonb)
        as input("cabinetId" bigint, "appVersion" text, "bootNo" bigint),
      rollout join firmware on firmware.id = rollout.firmware_id
    where target.tenant_id = ${tenantId} and target.cabinet_id = input."cabinetId"
      and input."appVersion" is not null and target.kind = 'FIRMWARE'
      and rollout.tenant_id = target.tenant_id and rollout.id = target.rollout_id
      and target.state in ('WAITING', 'SENT', 'ACCEPTED', 'DOWNLOADING', 'INSTALLING', 'TIMED_OUT')
      and (firmware.version = input."appVersion"
        or (target.state = 'INSTALLING' and target.installed_boot_no < input."bootNo"))
    returning ${change}`);
}

/** Restarts the timeout of reconnected cabinets; returns those with an open target. */
export async function touchOpenTargets(
  db: Db,
  tenantId: number,
  cabinetIds: readonly number[],
): Promise<number[]> {
  const rows = await db.many<{ id: number }>(sql`
    with touched as (
      update rollout_target set progressed_at = now()
      where tenant_id = ${tenantId} and cabinet_id = any(${cabinetIds})
        and state in ('SENT', 'ACCEPTED', 'DOWNLOADING')
    )
    select distinct cabinet_id as id from rollout_target
    where tenant_id = ${tenantId} and cabinet_id = any(${cabinetIds})
      and state in ('WAITING', 'SENT', 'ACCEPTED', 'DOWNLOADING')`);
  return rows.map(({ id }) => id);
}

/** Settles parameters by the reported config: applied, not applied, or overwritten by a later change. */
export function applyConfigReports(
  db: Db,
  tenantId: number,
  cabinetIds: readonly number[],
): Promise<TargetChange[]> {
  return db.many(sql`
    update rollout_target target set version = target.version + 1, settled_at = now(),
      state = case when cabinet.reported_config @> rollout.config then 'SUCCEEDED'
        when cabinet.desired_config @> rollout.config then 'FAILED' else 'CANCELLED' end,
      detail = case when cabinet.reported_config @> rollout.config then null
        when cabinet.desired_config @> rollout.config
          then ${notTakenDetail} else ${overtakenDetail} end
    from rollout, cabinet
    where target.tenant_id = ${tenantId} and target.cabinet_id = any(${cabinetIds})
      and target.kind = 'CONFIG'
      and target.state in ('SENT', 'TIMED_OUT')
      and rollout.tenant_id = target.tenant_id and rollout.id = target.rollout_id
      and cabinet.tenant_id = target.tenant_id and cabinet.id = target.cabinet_id
      and cabinet.reported_config_version >= target.desired_config_version
      and (target.state = 'SENT' or cabinet.reported_config @> rollout.config)
    returning ${change}`);
}
