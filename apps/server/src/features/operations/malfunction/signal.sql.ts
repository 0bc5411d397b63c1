// Signals of cabinets in SQL: stored with the reports, evaluated when due.
import { IGNORED_FOR_HOURS } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { raw, sql } from "../../../platform/db/sql.ts";
import { isContradictorySql } from "../../link/cabinet-condition/index.ts";
import { effectiveConfigSql, isConnectedSql } from "../../link/device/index.ts";
import type { MalfunctionAt, Recovery } from "./malfunction-progress.sql.ts";
import { type SignalKind, type SignalProgress, signalRules } from "./signal.rules.ts";

export interface SignalKey {
  tenantId: number;
  cabinetId: number;
  kind: SignalKind;
  /** 0 = the whole cabinet. */
  compartmentNo: number;
}

export interface SignalNews extends SignalKey {
  isActive: boolean;
  /** Number of times the condition began in this batch. */
  begins: number;
  value: number | null;
  /** Null if no report of the cabinet carries a sequence number for it. */
  bootNo: number | null;
  n: number | null;
}

/** Minimum interval between repeat counts of a signal that already has a malfunction. */
const COUNT_EVERY_SECONDS = 15;

const windows = JSON.stringify(
  Object.fromEntries(Object.entries(signalRules).map(([kind, rule]) => [kind, rule.windowSeconds])),
);
const isWindowOverSql = sql`signal.window_at
  < now() - make_interval(secs => (${windows}::jsonb ->> signal.kind)::int)`;

/**
 * Upserts reported signals; ignores an end without a begin, and reports older than the last one
 * stored (by bootNo and n).
 */
export async function saveSignals(db: Db, news: readonly SignalNews[]): Promise<void> {
  if (news.length === 0) return;
  await db.run(sql`
    insert into malfunction_signal as signal (tenant_id, cabinet_id, kind, compartment_no,
      is_active,
      begins, pending, value, boot_no, n, due_at)
    select input."tenantId", input."cabinetId", input.kind, input."compartmentNo", input."isActive",
      input.begins, input.begins,
      input.value, input."bootNo", input.n, now()
    from jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as input("tenantId" int,
      "cabinetId" bigint, kind text, "compartmentNo" int, "isActive" boolean, begins int,
      value float8, "bootNo" bigint, n bigint)
    where input.begins > 0 or exists (
      select from malfunction_signal signal
      where signal.tenant_id = input."tenantId" and signal.cabinet_id = input."cabinetId"
        and signal.kind = input.kind
        and signal.compartment_no = input."compartmentNo"
        and (signal.is_active or signal.begins > 0))
    order by input."cabinetId", input.kind, input."compartmentNo"
    on conflict (tenant_id, cabinet_id, kind, compartment_no) do update set
      is_active = excluded.is_active,
      began_at = case when excluded.is_active and not signal.is_active then now()
        else signal.began_at end,
      ended_at = case when excluded.is_active then null
        when signal.is_active or excluded.begins > 0 then now() else signal.ended_at end,
      last_at = case when excluded.begins > 0 then now() else signal.last_at end,
      begins = case
        -- A successful opening resets the count of failed openings.
        when signal.kind = 'OPEN_FAILED' and not excluded.is_active then 0
        when ${isWindowOverSql} then excluded.begins
        else signal.begins + excluded.begins end,
      window_at = case when ${isWindowOverSql} and excluded.begins > 0 then now()
        else signal.window_at end,
      pending = signal.pending + excluded.pending, value = coalesce(excluded.value, signal.value),
      boot_no = coalesce(excluded.boot_no, signal.boot_no), n = coalesce(excluded.n, signal.n),
      due_at = least(signal.due_at, now() + case when signal.is_told and excluded.is_active
        then make_interval(secs => ${COUNT_EVERY_SECONDS}) else interval '0' end)
    where signal.boot_no is null or excluded.boot_no is null
      or (signal.boot_no, signal.n) < (excluded.boot_no, excluded.n)`);
}

export interface DueSignal extends SignalKey, SignalProgress {
  value: number | null;
  /** The cabinet is not in operation any more. */
  isGone: boolean;
}

export type LockedSignal = DueSignal & { nowMs: number };

/** Locks due signals, oldest first; SKIP LOCKED leaves those of other processes alone. */
export function lockDueSignals(db: Db, limit: number): Promise<LockedSignal[]> {
  const ms = (column: string) => raw(`extract(epoch from signal.${column})::float8 * 1000`);
  return db.many(sql`
    select signal.tenant_id, signal.cabinet_id, signal.kind, signal.compartment_no,
      signal.is_active, signal.begins, signal.pending, signal.value, signal.is_told as is_reported,
      ${ms("began_at")} as began_ms, ${ms("ended_at")} as ended_ms, ${ms("last_at")} as last_ms,
      extract(epoch from now())::float8 * 1000 as now_ms,
      cabinet.lifecycle not in ('ACTIVE', 'PAUSED') as is_gone,
      cabinet.lifecycle not in ('ACTIVE', 'PAUSED') or (signal.kind = 'DOOR_LEFT_OPEN' and coalesce(
        comp.door_front = 'CLOSED' and coalesce(comp.door_back, 'CLOSED') = 'CLOSED',
        false)) as is_moot
    from malfunction_signal signal
    join cabinet on cabinet.tenant_id = signal.tenant_id and cabinet.id = signal.cabinet_id
    left join compartment comp on comp.tenant_id = signal.tenant_id
      and comp.cabinet_id = signal.cabinet_id
      and comp.no = signal.compartment_no
    where signal.due_at <= now()
    order by signal.due_at limit ${limit}
    for update of signal skip locked`);
}

const DEFER_MINUTES = 10;

/** The signal is looked at again later, or when it is reported again. */
export function deferSignal(database: Database, signal: SignalKey): Promise<unknown> {
  return database.transaction({ tenantId: signal.tenantId }, (db) =>
    db.run(sql`
      update malfunction_signal set due_at = now() + make_interval(mins => ${DEFER_MINUTES})
      where tenant_id = ${signal.tenantId} and cabinet_id = ${signal.cabinetId}
        and kind = ${signal.kind} and compartment_no = ${signal.compartmentNo}`),
  );
}

export interface SettledSignal extends SignalKey {
  isActive: boolean;
  isReported: boolean;
  isCounted: boolean;
  dueMs: number | null;
}

export async function settleSignals(db: Db, rows: readonly SettledSignal[]): Promise<void> {
  await db.run(sql`
    update malfunction_signal signal set is_active = input."isActive", is_told = input."isReported",
      pending = case when input."isCounted" then 0 else signal.pending end,
      due_at = to_timestamp(input."dueMs" / 1000)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input("tenantId" int,
      "cabinetId" bigint, kind text, "compartmentNo" int, "isActive" boolean, "isReported" boolean,
      "isCounted" boolean, "dueMs" float8)
    where signal.tenant_id = input."tenantId" and signal.cabinet_id = input."cabinetId"
      and signal.kind = input.kind
      and signal.compartment_no = input."compartmentNo"`);
}

/**
 * Counts up malfunctions closed as false alarm within `IGNORED_FOR_HOURS`: reports of the cabinet
 * do not reopen them. Returns those counted.
 */
export function countIgnored(
  db: Db,
  rows: readonly (SignalKey & { count: number })[],
): Promise<(MalfunctionAt & SignalKey)[]> {
  return db.many(sql`
    with latest as (
      select distinct on (malfunction.tenant_id, malfunction.cabinet_id, malfunction.kind,
        coalesce(malfunction.compartment_no, 0))
        malfunction.tenant_id, malfunction.id, malfunction.state, malfunction.closed_at,
        input.count, input."compartmentNo" as no
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input("tenantId" int,
        "cabinetId" bigint, kind text, "compartmentNo" int, count int)
      join malfunction on malfunction.tenant_id = input."tenantId"
        and malfunction.cabinet_id = input."cabinetId"
        and malfunction.kind = input.kind and coalesce(malfunction.compartment_no,
          0) = input."compartmentNo"
      order by malfunction.tenant_id, malfunction.cabinet_id, malfunction.kind,
        coalesce(malfunction.compartment_no, 0), malfunction.id desc)
    update malfunction set repeat_count = malfunction.repeat_count + latest.count, last_at = now()
    from latest
    where malfunction.tenant_id = latest.tenant_id and malfunction.id = latest.id
      and latest.state = 'IGNORED'
      and latest.closed_at > now() - make_interval(hours => ${IGNORED_FOR_HOURS})
    returning malfunction.tenant_id, malfunction.id, malfunction.cabinet_id, malfunction.kind,
      latest.no as compartment_no`);
}

/** At an open door somebody is just putting goods in or taking them out. */
const isAbnormalSql = sql`(${isContradictorySql(sql`comp`)} and comp.door_front <> 'OPEN'
  and comp.door_back is distinct from 'OPEN')`;

/**
 * Begins and ends the signals of compartments whose item sensor contradicts the recorded occupancy behind shut doors.
 */
export async function markContradictions(db: Db): Promise<void> {
  await db.run(sql`
    insert into malfunction_signal as signal (tenant_id, cabinet_id, kind, compartment_no, is_active,
      begins, pending, due_at)
    select comp.tenant_id, comp.cabinet_id, 'OCCUPANCY_ABNORMAL', comp.no, true, 1, 1, now()
    from compartment comp
    where ${isAbnormalSql}
    on conflict (tenant_id, cabinet_id, kind, compartment_no) do update set is_active = true,
      began_at = now(), ended_at = null, last_at = now(), pending = signal.pending + 1,
      due_at = now()
    where not signal.is_active`);
  await db.run(sql`
    update malfunction_signal signal set is_active = false, ended_at = now(), due_at = now(),
      pending = 0
    where signal.kind = 'OCCUPANCY_ABNORMAL' and signal.is_active and not exists (
      select from compartment comp
      where comp.tenant_id = signal.tenant_id and comp.cabinet_id = signal.cabinet_id
        and comp.no = signal.compartment_no
        and ${isAbnormalSql})`);
}

/** The cabinet reports a door that is open for too long itself; the server does so after this time. */
const CABINET_FIRST_SECONDS = 30;
/** Limit of a cabinet without a setting of its own. */
const USUAL_LIMIT_SECONDS = 180;

/** Begins the signals of doors of connected cabinets that are open for longer than their limit, whatever the cabinet says. */
export async function markDoorsLeftOpen(db: Db): Promise<void> {
  const model = sql`model`;
  await db.run(sql`
    insert into malfunction_signal as signal (tenant_id, cabinet_id, kind, compartment_no, is_active,
      begins, pending, value, due_at)
    select comp.tenant_id, comp.cabinet_id, 'DOOR_LEFT_OPEN', comp.no, true, 1, 1,
      extract(epoch from now() - comp.door_open_since)::float8, now()
    from compartment comp
    join cabinet on cabinet.tenant_id = comp.tenant_id and cabinet.id = comp.cabinet_id
    join cabinet_model model on model.id = cabinet.model_id
    where comp.door_open_since < now() - make_interval(secs => ${CABINET_FIRST_SECONDS}
        + coalesce((${effectiveConfigSql(sql`cabinet`, model)} ->> 'doorOpenAlarmSeconds')::int,
          ${USUAL_LIMIT_SECONDS}))
      and 'OPEN' in (comp.door_front, comp.door_back) and ${isConnectedSql(sql`cabinet`)}
    on conflict (tenant_id, cabinet_id, kind, compartment_no) do update set is_active = true,
      began_at = now(), ended_at = null, last_at = now(), pending = signal.pending + 1,
      value = excluded.value, due_at = now()
    where not signal.is_active`);
}

/** Recovery of the open malfunctions of these signals. */
export function recoveryOf(signals: readonly SignalKey[], text: string): Recovery {
  return {
    from: sql`from jsonb_to_recordset(${JSON.stringify(signals)}::jsonb) as input("tenantId" int,
      "cabinetId" bigint, kind text, "compartmentNo" int)`,
    isMeant: sql`malfunction.tenant_id = input."tenantId"
      and malfunction.cabinet_id = input."cabinetId" and malfunction.kind = input.kind
      and coalesce(malfunction.compartment_no, 0) = input."compartmentNo"`,
    text,
  };
}
