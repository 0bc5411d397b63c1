// Effects of cabinet reports on roll-out targets: idempotent, and only from the states a step may follow.
import { mayFollow, TARGET_STATES } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import { type Db, sql } from "../../../platform/db/db.ts";
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

const change = sql`t.cabinet_id as "cabinetId", t.rollout_id as "rolloutId", t.state`;

/** Applies a job's result to its current attempt; a cabinet that already runs the version succeeds. */
export function applyJobOutcome(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  jobId: string,
  { state, detail, againAfter }: JobOutcome,
  bootNo: number,
): Promise<TargetChange | null> {
  return db.maybe(sql`
    update rollout_target t set state = x.state, version = t.version + 1, detail = ${detail},
      progressed_at = now(),
      installed_boot_no = case when x.state = 'INSTALLING' then ${bootNo}::bigint end,
      not_before = now() + make_interval(secs => ${againAfter}::int),
      settled_at = case when x.state in ('SUCCEEDED', 'FAILED', 'REFUSED') then now() end
    from (
      select r.id, case when ${state} = 'INSTALLING' and c.app_version = f.version
        then 'SUCCEEDED' else ${state} end as state
      from rollout_target j
      join rollout r on r.tenant_id = j.tenant_id and r.id = j.rollout_id
      join firmware f on f.id = r.firmware_id
      join cabinet c on c.tenant_id = j.tenant_id and c.id = j.cabinet_id
      where j.tenant_id = ${tenantId} and j.cabinet_id = ${cabinetId} and j.job_id = ${jobId}
    ) x, jsonb_to_recordset(${transitions}::jsonb) as s("from" text, "to" text)
    where t.tenant_id = ${tenantId} and t.cabinet_id = ${cabinetId} and t.job_id = ${jobId}
      and t.rollout_id = x.id and s."from" = t.state and s."to" = x.state
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
    update rollout_target t set version = t.version + 1, settled_at = now(),
      state = case when f.version = b."appVersion" then 'SUCCEEDED' else 'FAILED' end,
      detail = case when f.version <> b."appVersion"
        then ${oldProgramDetail} || b."appVersion" end
    from jsonb_to_recordset(${JSON.stringify(births)}::jsonb)
        as b("cabinetId" bigint, "appVersion" text, "bootNo" bigint),
      rollout r join firmware f on f.id = r.firmware_id
    where t.tenant_id = ${tenantId} and t.cabinet_id = b."cabinetId" and t.kind = 'FIRMWARE'
      and r.tenant_id = t.tenant_id and r.id = t.rollout_id
      and t.state in ('WAITING', 'SENT', 'ACCEPTED', 'DOWNLOADING', 'INSTALLING', 'TIMED_OUT')
      and (f.version = b."appVersion"
        or (t.state = 'INSTALLING' and t.installed_boot_no < b."bootNo"))
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
    update rollout_target t set version = t.version + 1, settled_at = now(),
      state = case when c.reported_config @> r.config then 'SUCCEEDED'
        when c.desired_config @> r.config then 'FAILED' else 'CANCELLED' end,
      detail = case when c.reported_config @> r.config then null
        when c.desired_config @> r.config then ${notTakenDetail} else ${overtakenDetail} end
    from rollout r, cabinet c
    where t.tenant_id = ${tenantId} and t.cabinet_id = any(${cabinetIds}) and t.kind = 'CONFIG'
      and t.state in ('SENT', 'TIMED_OUT')
      and r.tenant_id = t.tenant_id and r.id = t.rollout_id
      and c.tenant_id = t.tenant_id and c.id = t.cabinet_id
      and c.reported_config_version >= t.desired_config_version
      and (t.state = 'SENT' or c.reported_config @> r.config)
    returning ${change}`);
}
