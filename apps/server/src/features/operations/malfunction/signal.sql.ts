// Signals of cabinets in SQL: stored with the reports, evaluated when due.
import { IGNORED_FOR_HOURS } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { type Db, raw, sql } from "../../../platform/db/db.ts";
import { isContradictorySql } from "../../link/cabinet-condition/index.ts";
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
const isWindowOverSql = sql`s.window_at
  < now() - make_interval(secs => (${windows}::jsonb ->> s.kind)::int)`;

/**
 * Upserts reported signals; ignores an end without a begin, and reports older than the last one
 * stored (by bootNo and n).
 */
export async function saveSignals(db: Db, news: readonly SignalNews[]): Promise<void> {
  if (news.length === 0) return;
  await db.run(sql`
    insert into malfunction_signal as s (tenant_id, cabinet_id, kind, compartment_no, is_active,
      begins, pending, value, boot_no, n, due_at)
    select r."tenantId", r."cabinetId", r.kind, r."compartmentNo", r."isActive", r.begins, r.begins,
      r.value, r."bootNo", r.n, now()
    from jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as r("tenantId" int,
      "cabinetId" bigint, kind text, "compartmentNo" int, "isActive" boolean, begins int,
      value float8, "bootNo" bigint, n bigint)
    where r.begins > 0 or exists (
      select from malfunction_signal o
      where o.tenant_id = r."tenantId" and o.cabinet_id = r."cabinetId" and o.kind = r.kind
        and o.compartment_no = r."compartmentNo" and (o.is_active or o.begins > 0))
    order by r."cabinetId", r.kind, r."compartmentNo"
    on conflict (tenant_id, cabinet_id, kind, compartment_no) do update set
      is_active = excluded.is_active,
      began_at = case when excluded.is_active and not s.is_active then now() else s.began_at end,
      ended_at = case when excluded.is_active then null
        when s.is_active or excluded.begins > 0 then now() else s.ended_at end,
      last_at = case when excluded.begins > 0 then now() else s.last_at end,
      begins = case
        -- A successful opening resets the count of failed openings.
        when s.kind = 'OPEN_FAILED' and not excluded.is_active then 0
        when ${isWindowOverSql} then excluded.begins
        else s.begins + excluded.begins end,
      window_at = case when ${isWindowOverSql} and excluded.begins > 0 then now()
        else s.window_at end,
      pending = s.pending + excluded.pending, value = coalesce(excluded.value, s.value),
      boot_no = coalesce(excluded.boot_no, s.boot_no), n = coalesce(excluded.n, s.n),
      due_at = least(s.due_at, now() + case when s.is_told and excluded.is_active
        then make_interval(secs => ${COUNT_EVERY_SECONDS}) else interval '0' end)
    where s.boot_no is null or excluded.boot_no is null
      or (s.boot_no, s.n) < (excluded.boot_no, excluded.n)`);
}

export interface DueSignal extends SignalKey, SignalProgress {
  value: number | null;
  /** The cabinet is not in operation any more. */
  isGone: boolean;
}

/** Locks due signals, oldest first; SKIP LOCKED leaves those of other processes alone. */
export function lockDueSignals(db: Db, limit: number): Promise<(DueSignal & { nowMs: number })[]> {
  const ms = (column: string) => raw(`extract(epoch from s.${column})::float8 * 1000`);
  return db.many(sql`
    select s.tenant_id as "tenantId", s.cabinet_id as "cabinetId", s.kind,
      s.compartment_no as "compartmentNo", s.is_active as "isActive", s.begins, s.pending, s.value,
      s.is_told as "isReported", ${ms("began_at")} as "beganMs", ${ms("ended_at")} as "endedMs",
      ${ms("last_at")} as "lastMs", extract(epoch from now())::float8 * 1000 as "nowMs",
      c.lifecycle not in ('ACTIVE', 'PAUSED') as "isGone",
      c.lifecycle not in ('ACTIVE', 'PAUSED') or (s.kind = 'DOOR_LEFT_OPEN' and coalesce(
        k.door_front = 'CLOSED' and coalesce(k.door_back, 'CLOSED') = 'CLOSED', false)) as "isMoot"
    from malfunction_signal s
    join cabinet c on c.tenant_id = s.tenant_id and c.id = s.cabinet_id
    left join compartment k on k.tenant_id = s.tenant_id and k.cabinet_id = s.cabinet_id
      and k.no = s.compartment_no
    where s.due_at <= now()
    order by s.due_at limit ${limit}
    for update of s skip locked`);
}

export interface SettledSignal extends SignalKey {
  isActive: boolean;
  isReported: boolean;
  isCounted: boolean;
  dueMs: number | null;
}

export async function settleSignals(db: Db, rows: readonly SettledSignal[]): Promise<void> {
  await db.run(sql`
    update malfunction_signal s set is_active = r."isActive", is_told = r."isReported",
      pending = case when r."isCounted" then 0 else s.pending end,
      due_at = to_timestamp(r."dueMs" / 1000)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("tenantId" int,
      "cabinetId" bigint, kind text, "compartmentNo" int, "isActive" boolean, "isReported" boolean,
      "isCounted" boolean, "dueMs" float8)
    where s.tenant_id = r."tenantId" and s.cabinet_id = r."cabinetId" and s.kind = r.kind
      and s.compartment_no = r."compartmentNo"`);
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
      select distinct on (m.tenant_id, m.cabinet_id, m.kind, coalesce(m.compartment_no, 0))
        m.tenant_id, m.id, m.state, m.closed_at, r.count, r."compartmentNo" as no
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("tenantId" int,
        "cabinetId" bigint, kind text, "compartmentNo" int, count int)
      join malfunction m on m.tenant_id = r."tenantId" and m.cabinet_id = r."cabinetId"
        and m.kind = r.kind and coalesce(m.compartment_no, 0) = r."compartmentNo"
      order by m.tenant_id, m.cabinet_id, m.kind, coalesce(m.compartment_no, 0), m.id desc)
    update malfunction m set repeat_count = m.repeat_count + l.count, last_at = now()
    from latest l
    where m.tenant_id = l.tenant_id and m.id = l.id and l.state = 'IGNORED'
      and l.closed_at > now() - make_interval(hours => ${IGNORED_FOR_HOURS})
    returning m.tenant_id as "tenantId", m.id, m.cabinet_id as "cabinetId", m.kind,
      l.no as "compartmentNo"`);
}

/**
 * Begins and ends the signals of compartments whose item sensor contradicts the recorded occupancy.
 */
export async function markContradictions(db: Db): Promise<void> {
  await db.run(sql`
    insert into malfunction_signal as s (tenant_id, cabinet_id, kind, compartment_no, is_active,
      begins, pending, due_at)
    select k.tenant_id, k.cabinet_id, 'OCCUPANCY_ABNORMAL', k.no, true, 1, 1, now()
    from compartment k
    where ${isContradictorySql(sql`k`)}
    on conflict (tenant_id, cabinet_id, kind, compartment_no) do update set is_active = true,
      began_at = now(), ended_at = null, last_at = now(), pending = s.pending + 1, due_at = now()
    where not s.is_active`);
  await db.run(sql`
    update malfunction_signal s set is_active = false, ended_at = now(), due_at = now(), pending = 0
    where s.kind = 'OCCUPANCY_ABNORMAL' and s.is_active and not exists (
      select from compartment k
      where k.tenant_id = s.tenant_id and k.cabinet_id = s.cabinet_id and k.no = s.compartment_no
        and ${isContradictorySql(sql`k`)})`);
}

/** Recovery of the open malfunctions of these signals. */
export function recoveryOf(signals: readonly SignalKey[], text: string): Recovery {
  return {
    from: sql`from jsonb_to_recordset(${JSON.stringify(signals)}::jsonb) as k("tenantId" int,
      "cabinetId" bigint, kind text, "compartmentNo" int)`,
    isMeant: sql`m.tenant_id = k."tenantId" and m.cabinet_id = k."cabinetId" and m.kind = k.kind
      and coalesce(m.compartment_no, 0) = k."compartmentNo"`,
    text,
  };
}
