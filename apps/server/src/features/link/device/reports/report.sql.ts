// Bulk writes of report changes: cabinet rows, compartments, log.
import { WILL_GRACE_SECONDS } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { ConfigValues } from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import { effectiveConfigSql } from "../presence/config.sql.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";
import { kidsInForceSql, silenceSecondsSql } from "../presence/presence.sql.ts";
import type {
  ReportChanges,
  ReportingCabinet,
  ReportOrder,
  ShownOpening,
} from "./report-changes.flow.ts";

export interface LockedCabinet {
  cabinet: ReportingCabinet;
  kidsInForce: readonly string[];
  /** Unix milliseconds by the database's clock. */
  now: number;
  /** Since its last message; 0 before the first one. */
  silentSeconds: number;
  desiredConfig: ConfigValues;
  desiredConfigVersion: number;
}

const cabinetAlias = sql`cabinet`;
const model = sql`model`;

/**
 * Locks the rows of one tenant until the transaction ends. Left out are cabinets that no longer belong to this tenant
 * and, unless `isPatient`, those another transaction has locked.
 */
export async function lockReportingCabinets(
  db: Db,
  tenantId: number,
  cabinetIds: readonly number[],
  isPatient: boolean,
): Promise<Map<number, LockedCabinet>> {
  const rows = await db.many<ReportingCabinet & Omit<LockedCabinet, "cabinet">>(sql`
    select cabinet.tenant_id, cabinet.id as cabinet_id, cabinet.lifecycle, connection_nonce,
      connection_kid, epoch, is_greeted, gateway_id, birth_nonce, birth_boot_no, birth_n,
      announced_connectivity as announced,
      ${silenceSecondsSql(cabinetAlias, model)} as silence_seconds, command_seq, acknowledged_seq,
      boot_base, boot_no, last_n, missing_reports::float8[] as missing, heartbeat_boot_no,
      heartbeat_mono, app_version, signal_dbm, temperature_c, clock_skew_seconds, invalid_readings,
      resync_id, resync_at, resync_due_at, snapshot_boot_no, snapshot_n, snapshot_asked_at,
      birth_run as run, identity_shared_at,
      ${kidsInForceSql(cabinetAlias)} as kids_in_force,
      floor(extract(epoch from now()) * 1000)::bigint as now,
      coalesce(ceil(extract(epoch from now() - last_seen_at))::int, 0) as silent_seconds,
      ${effectiveConfigSql(cabinetAlias, model)} as desired_config, desired_config_version
    from cabinet join cabinet_model model on model.id = cabinet.model_id
    where cabinet.tenant_id = ${tenantId} and cabinet.id = any(${cabinetIds}::bigint[])
    order by cabinet.id
    for no key update of cabinet ${isPatient ? sql`` : sql`skip locked`}`);
  return new Map(
    rows.map(
      ({ kidsInForce, now, silentSeconds, desiredConfig, desiredConfigVersion, ...cabinet }) => [
        cabinet.cabinetId,
        { cabinet, kidsInForce, now, silentSeconds, desiredConfig, desiredConfigVersion },
      ],
    ),
  );
}

/** Doors of these that were known to be shut before a report that is newer than what is stored. */
export async function findNewlyOpened<Opening extends CabinetKey & ShownOpening>(
  db: Db,
  doors: readonly Opening[],
): Promise<Opening[]> {
  const found = await db.many<{ at: number }>(sql`
    select input.at::int
    from jsonb_to_recordset(${JSON.stringify(doors.map((door, at) => ({ ...door, at })))}::jsonb)
      as input(at int, "tenantId" int, "cabinetId" bigint, no int, side text, "order" jsonb)
    join compartment comp on comp.tenant_id = input."tenantId"
      and comp.cabinet_id = input."cabinetId" and comp.no = input.no
    where (comp.reported_boot_no, comp.reported_n)
        < ((input."order" -> 'bootNo')::bigint, (input."order" -> 'n')::bigint)
      and case input.side when 'BACK' then comp.door_back else comp.door_front end = 'CLOSED'
    order by input.at`);
  return found.flatMap(({ at }) => doors[at] ?? []);
}

/** Key of a report, unique within a tenant. */
export function reportName(cabinetId: number, { bootNo, n }: ReportOrder): string {
  return `${cabinetId} ${bootNo} ${n}`;
}

/** Writes all changes in one round trip; returns the names of the events that were not known before. */
export async function saveChanges(db: Db, changes: ReportChanges): Promise<ReadonlySet<string>> {
  const [stored] = await Promise.all([
    changes.events.length > 0 ? insertCabinetEvents(db, changes.events) : [],
    changes.compartments.length > 0 && saveCompartments(db, changes.compartments),
    changes.configs.length > 0 && saveConfigs(db, changes.configs),
    changes.cabinets.size > 0 && saveCabinets(db, changes.cabinets),
  ]);
  return new Set(stored.map(({ cabinetId, ...order }) => reportName(cabinetId, order)));
}

async function saveCabinets(db: Db, cabinets: ReportChanges["cabinets"]): Promise<void> {
  const rows = [...cabinets].map(([cabinet, presence]) => ({ ...cabinet, ...presence }));
  await db.run(sql`
    update cabinet set lifecycle = input.lifecycle, connection_nonce = input."connectionNonce",
      connection_kid = input."connectionKid", epoch = input.epoch, is_greeted = input."isGreeted",
      gateway_id = input."gatewayId", birth_nonce = input."birthNonce",
      birth_boot_no = input."birthBootNo", birth_n = input."birthN",
      last_seen_at = case when input."isHeard" then now() else cabinet.last_seen_at end,
      offline_at = case when input."isHeard" and input."isEnded"
          then now() + make_interval(secs => least(input."silenceSeconds", ${WILL_GRACE_SECONDS}))
        when input."isHeard" then now() + make_interval(secs => input."silenceSeconds")
        when input."isEnded" and cabinet.offline_at is not null
          then least(cabinet.offline_at, now() + make_interval(secs => ${WILL_GRACE_SECONDS}))
        else cabinet.offline_at end,
      announced_connectivity = case when input."isHeard" then 'ONLINE'
        else cabinet.announced_connectivity end,
      command_seq = input."commandSeq", acknowledged_seq = input."acknowledgedSeq",
      boot_base = input."bootBase", boot_no = input."bootNo", last_n = input."lastN",
      missing_reports = input.missing,
      gap_since = case when cardinality(input.missing) = 0 then null
        else coalesce(cabinet.gap_since, now()) end,
      heartbeat_boot_no = input."heartbeatBootNo", heartbeat_mono = input."heartbeatMono",
      app_version = input."appVersion", signal_dbm = input."signalDbm",
      temperature_c = input."temperatureC", clock_skew_seconds = input."clockSkewSeconds",
      invalid_readings = input."invalidReadings", resync_due_at = input."resyncDueAt",
      snapshot_boot_no = input."snapshotBootNo", snapshot_n = input."snapshotN",
      snapshot_asked_at = input."snapshotAskedAt", birth_run = input.run,
      identity_shared_at = input."identitySharedAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input("tenantId" int,
      "cabinetId" bigint, lifecycle text, "connectionNonce" text, "connectionKid" text,
      epoch bigint, "isGreeted" boolean, "gatewayId" text, "birthNonce" text,
      "birthBootNo" bigint, "birthN" bigint, "isHeard" boolean, "isEnded" boolean,
      "silenceSeconds" int, "commandSeq" bigint, "acknowledgedSeq" bigint, "bootBase" bigint,
      "bootNo" bigint, "lastN" bigint, missing bigint[], "heartbeatBootNo" bigint,
      "heartbeatMono" bigint, "appVersion" text, "signalDbm" int, "temperatureC" real,
      "clockSkewSeconds" int, "invalidReadings" text[], "resyncDueAt" timestamptz,
      "snapshotBootNo" bigint, "snapshotN" bigint, "snapshotAskedAt" timestamptz, run jsonb,
      "identitySharedAt" timestamptz)
    where cabinet.tenant_id = input."tenantId" and cabinet.id = input."cabinetId"`);
}

/** Updates the rows that these reports are newer than; the others stay. */
async function saveCompartments(db: Db, rows: ReportChanges["compartments"]): Promise<void> {
  await db.run(sql`
    update compartment comp set door_front = input.front, item = input.item,
      door_back = case when comp.door_back is not null then coalesce(input.back, 'UNKNOWN') end,
      door_open_since = case when 'OPEN' in (input.front, input.back)
        then coalesce(comp.door_open_since, now()) end,
      reported_boot_no = input."bootNo", reported_n = input.n,
      present_boot_no = case input.item when 'PRESENT' then input."bootNo"
        else comp.present_boot_no end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input("tenantId" int,
      "cabinetId" bigint, "bootNo" bigint, n bigint, no int, front text, back text, item text)
    where comp.tenant_id = input."tenantId" and comp.cabinet_id = input."cabinetId"
      and comp.no = input.no
      and (comp.reported_boot_no is null
        or (comp.reported_boot_no, comp.reported_n) < (input."bootNo", input.n))`);
}

/** Stores the config unless a newer report is stored. */
async function saveConfigs(db: Db, rows: ReportChanges["configs"]): Promise<void> {
  await db.run(sql`
    update cabinet set reported_config_version = input.version, reported_config = input.values,
      reported_config_at = now(), reported_config_boot_no = input."bootNo",
      reported_config_n = input.n
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input("tenantId" int,
      "cabinetId" bigint, "bootNo" bigint, n bigint, version int, values jsonb)
    where cabinet.tenant_id = input."tenantId" and cabinet.id = input."cabinetId"
      and (cabinet.reported_config_boot_no is null
        or (cabinet.reported_config_boot_no, cabinet.reported_config_n) < (input."bootNo",
          input.n))`);
}

/** Adds to the cabinets' logs; idempotent for a repeated report. */
function insertCabinetEvents(
  db: Db,
  events: ReportChanges["events"],
): Promise<(ReportOrder & { cabinetId: number })[]> {
  return db.many(sql`
    insert into cabinet_event (tenant_id, cabinet_id, boot_no, n, kind, compartment_no, side,
      command_id, device_at, payload)
    select "tenantId", "cabinetId", ("order" ->> 'bootNo')::bigint, ("order" ->> 'n')::bigint,
      kind, "compartmentNo", side, "commandId", to_timestamp("deviceAt" / 1000), payload::jsonb
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as input("tenantId" int,
      "cabinetId" bigint, "order" jsonb, kind text, "compartmentNo" int, side text,
      "commandId" uuid, "deviceAt" float8, payload text)
    on conflict (tenant_id, cabinet_id, boot_no, n) do nothing
    returning cabinet_id, boot_no, n`);
}
