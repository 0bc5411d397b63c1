// Bulk writes of report changes: cabinet rows, compartments, log.
import { WILL_GRACE_SECONDS } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { ConfigValues } from "@cabinet/link";
import { type Db, sql } from "../../../../platform/db/db.ts";
import { effectiveConfigSql } from "../presence/config.sql.ts";
import { kidsInForceSql, silenceSecondsSql } from "../presence/presence.sql.ts";
import type { ReportChanges, ReportingCabinet, ReportOrder } from "./report-changes.flow.ts";

export interface LockedCabinet {
  cabinet: ReportingCabinet;
  kidsInForce: readonly string[];
  /** Unix milliseconds by the database's clock. */
  now: number;
  desiredConfig: ConfigValues;
  desiredConfigVersion: number;
}

const c = sql`c`;
const m = sql`m`;

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
    select c.tenant_id as "tenantId", c.id as "cabinetId", c.lifecycle,
      connection_nonce as "connectionNonce", connection_kid as "connectionKid",
      epoch, is_greeted as "isGreeted", gateway_id as "gatewayId", birth_nonce as "birthNonce",
      birth_boot_no as "birthBootNo", birth_n as "birthN", announced_connectivity as announced,
      ${silenceSecondsSql(c, m)} as "silenceSeconds", command_seq as "commandSeq",
      acknowledged_seq as "acknowledgedSeq", boot_base as "bootBase", boot_no as "bootNo",
      last_n as "lastN", missing_reports::float8[] as missing,
      heartbeat_boot_no as "heartbeatBootNo", heartbeat_mono as "heartbeatMono",
      app_version as "appVersion", signal_dbm as "signalDbm", temperature_c as "temperatureC",
      clock_skew_seconds as "clockSkewSeconds", ${kidsInForceSql(c)} as "kidsInForce",
      floor(extract(epoch from now()) * 1000)::bigint as now,
      ${effectiveConfigSql(c, m)} as "desiredConfig", desired_config_version as "desiredConfigVersion"
    from cabinet c join cabinet_model m on m.id = c.model_id
    where c.tenant_id = ${tenantId} and c.id = any(${cabinetIds}::bigint[])
    order by c.id
    for no key update of c ${isPatient ? sql`` : sql`skip locked`}`);
  return new Map(
    rows.map(({ kidsInForce, now, desiredConfig, desiredConfigVersion, ...cabinet }) => [
      cabinet.cabinetId,
      { cabinet, kidsInForce, now, desiredConfig, desiredConfigVersion },
    ]),
  );
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
    update cabinet c set lifecycle = r.lifecycle, connection_nonce = r."connectionNonce",
      connection_kid = r."connectionKid", epoch = r.epoch, is_greeted = r."isGreeted",
      gateway_id = r."gatewayId", birth_nonce = r."birthNonce",
      birth_boot_no = r."birthBootNo", birth_n = r."birthN",
      last_seen_at = case when r."isHeard" then now() else c.last_seen_at end,
      offline_at = case when r."isHeard" and r."isEnded"
          then now() + make_interval(secs => least(r."silenceSeconds", ${WILL_GRACE_SECONDS}))
        when r."isHeard" then now() + make_interval(secs => r."silenceSeconds")
        when r."isEnded" and c.offline_at is not null
          then least(c.offline_at, now() + make_interval(secs => ${WILL_GRACE_SECONDS}))
        else c.offline_at end,
      announced_connectivity = case when r."isHeard" then 'ONLINE'
        else c.announced_connectivity end,
      command_seq = r."commandSeq", acknowledged_seq = r."acknowledgedSeq",
      boot_base = r."bootBase", boot_no = r."bootNo", last_n = r."lastN",
      missing_reports = r.missing,
      gap_since = case when cardinality(r.missing) = 0 then null
        else coalesce(c.gap_since, now()) end,
      heartbeat_boot_no = r."heartbeatBootNo", heartbeat_mono = r."heartbeatMono",
      app_version = r."appVersion", signal_dbm = r."signalDbm",
      temperature_c = r."temperatureC", clock_skew_seconds = r."clockSkewSeconds"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("tenantId" int,
      "cabinetId" bigint, lifecycle text, "connectionNonce" text, "connectionKid" text,
      epoch bigint, "isGreeted" boolean, "gatewayId" text, "birthNonce" text,
      "birthBootNo" bigint, "birthN" bigint, "isHeard" boolean, "isEnded" boolean,
      "silenceSeconds" int, "commandSeq" bigint, "acknowledgedSeq" bigint, "bootBase" bigint,
      "bootNo" bigint, "lastN" bigint, missing bigint[], "heartbeatBootNo" bigint,
      "heartbeatMono" bigint, "appVersion" text, "signalDbm" int, "temperatureC" real,
      "clockSkewSeconds" int)
    where c.tenant_id = r."tenantId" and c.id = r."cabinetId"`);
}

/** Updates the rows that these reports are newer than; the others stay. */
async function saveCompartments(db: Db, rows: ReportChanges["compartments"]): Promise<void> {
  await db.run(sql`
    update compartment p set door_front = r.front, item = r.item,
      door_back = case when p.door_back is not null then coalesce(r.back, 'UNKNOWN') end,
      reported_boot_no = r."bootNo", reported_n = r.n
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("tenantId" int,
      "cabinetId" bigint, "bootNo" bigint, n bigint, no int, front text, back text, item text)
    where p.tenant_id = r."tenantId" and p.cabinet_id = r."cabinetId" and p.no = r.no
      and (p.reported_boot_no is null
        or (p.reported_boot_no, p.reported_n) < (r."bootNo", r.n))`);
}

/** Stores the config unless a newer report is stored. */
async function saveConfigs(db: Db, rows: ReportChanges["configs"]): Promise<void> {
  await db.run(sql`
    update cabinet c set reported_config_version = r.version, reported_config = r.values,
      reported_config_at = now(), reported_config_boot_no = r."bootNo", reported_config_n = r.n
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("tenantId" int,
      "cabinetId" bigint, "bootNo" bigint, n bigint, version int, values jsonb)
    where c.tenant_id = r."tenantId" and c.id = r."cabinetId"
      and (c.reported_config_boot_no is null
        or (c.reported_config_boot_no, c.reported_config_n) < (r."bootNo", r.n))`);
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
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as r("tenantId" int,
      "cabinetId" bigint, "order" jsonb, kind text, "compartmentNo" int, side text,
      "commandId" uuid, "deviceAt" float8, payload text)
    on conflict (tenant_id, cabinet_id, boot_no, n) do nothing
    returning cabinet_id as "cabinetId", boot_no as "bootNo", n`);
}
