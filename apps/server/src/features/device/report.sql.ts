// What a report changes in the database: the cabinet's row, its compartments, its log.
import type { Lifecycle } from "@cabinet/contract/cabinet/cabinet.rules.ts";
import type { CompartmentReport, ConfigValues } from "@cabinet/link";
import { type Db, sql } from "../../platform/db.ts";
import { effectiveConfigSql } from "./config.sql.ts";
import { type CabinetKey, isKidValidSql, silenceSecondsSql } from "./presence.sql.ts";

/** The cabinet's row as a report finds it, locked, and as it leaves it. */
export interface ReportingCabinet extends CabinetKey {
  lifecycle: Lifecycle;
  connectionNonce: string | null;
  connectionKid: string | null;
  epoch: number;
  isGreeted: boolean;
  gatewayId: string | null;
  birthNonce: string | null;
  birthBootNo: number | null;
  birthN: number | null;
  announced: "ONLINE" | "OFFLINE" | "NEVER";
  silenceSeconds: number;
  commandSeq: number;
  acknowledgedSeq: number;
  bootBase: number;
  bootNo: number | null;
  lastN: number | null;
  missing: readonly number[];
  heartbeatBootNo: number | null;
  heartbeatMono: number | null;
  appVersion: string | null;
  signalDbm: number | null;
  temperatureC: number | null;
  clockSkewSeconds: number | null;
}

export interface LockedCabinet {
  cabinet: ReportingCabinet;
  isKidValid: boolean;
  /** Unix milliseconds by the database's clock. */
  now: number;
  desiredConfig: ConfigValues;
  desiredConfigVersion: number;
}

const c = sql`c`;
const m = sql`m`;

/** Locks the row until the transaction ends; null when the cabinet is not this tenant's any more. */
export async function lockCabinet(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  kid: string,
): Promise<LockedCabinet | null> {
  const row = await db.maybe<ReportingCabinet & Omit<LockedCabinet, "cabinet">>(sql`
    select c.tenant_id as "tenantId", c.id as "cabinetId", c.lifecycle,
      connection_nonce as "connectionNonce", connection_kid as "connectionKid",
      epoch, is_greeted as "isGreeted", gateway_id as "gatewayId", birth_nonce as "birthNonce", birth_boot_no as "birthBootNo",
      birth_n as "birthN", announced_connectivity as announced,
      ${silenceSecondsSql(c, m)} as "silenceSeconds", command_seq as "commandSeq",
      acknowledged_seq as "acknowledgedSeq", boot_base as "bootBase", boot_no as "bootNo",
      last_n as "lastN", missing_reports::float8[] as missing,
      heartbeat_boot_no as "heartbeatBootNo", heartbeat_mono as "heartbeatMono",
      app_version as "appVersion", signal_dbm as "signalDbm", temperature_c as "temperatureC",
      clock_skew_seconds as "clockSkewSeconds", ${isKidValidSql(c, kid)} as "isKidValid",
      floor(extract(epoch from now()) * 1000)::bigint as now,
      ${effectiveConfigSql(c, m)} as "desiredConfig", desired_config_version as "desiredConfigVersion"
    from cabinet c join cabinet_model m on m.id = c.model_id
    where c.tenant_id = ${tenantId} and c.id = ${cabinetId}
    for no key update of c`);
  if (!row) return null;
  const { isKidValid, now, desiredConfig, desiredConfigVersion, ...cabinet } = row;
  return { cabinet, isKidValid, now, desiredConfig, desiredConfigVersion };
}

/** Writes the row back. `isHeard`: it spoke over its present connection, so it is online. */
export async function saveCabinet(
  db: Db,
  cabinet: ReportingCabinet,
  isHeard: boolean,
): Promise<void> {
  const c = cabinet;
  await db.run(sql`
    update cabinet set lifecycle = ${c.lifecycle}, connection_nonce = ${c.connectionNonce},
      connection_kid = ${c.connectionKid}, epoch = ${c.epoch}, is_greeted = ${c.isGreeted},
      gateway_id = ${c.gatewayId},
      birth_nonce = ${c.birthNonce}, birth_boot_no = ${c.birthBootNo}, birth_n = ${c.birthN},
      last_seen_at = case when ${isHeard} then now() else last_seen_at end,
      offline_at = case when ${isHeard} then now() + make_interval(secs => ${c.silenceSeconds})
        else offline_at end,
      announced_connectivity = case when ${isHeard} then 'ONLINE' else announced_connectivity end,
      command_seq = ${c.commandSeq}, acknowledged_seq = ${c.acknowledgedSeq},
      boot_base = ${c.bootBase}, boot_no = ${c.bootNo}, last_n = ${c.lastN},
      missing_reports = ${c.missing}::bigint[],
      gap_since = case when ${c.missing.length} = 0 then null else coalesce(gap_since, now()) end,
      heartbeat_boot_no = ${c.heartbeatBootNo}, heartbeat_mono = ${c.heartbeatMono},
      app_version = ${c.appVersion}, signal_dbm = ${c.signalDbm},
      temperature_c = ${c.temperatureC}, clock_skew_seconds = ${c.clockSkewSeconds}
    where tenant_id = ${c.tenantId} and id = ${c.cabinetId}`);
}

/** Takes over the rows that this report is newer than; the others keep what is newer still. */
export async function applyCompartments(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  order: { bootNo: number; n: number },
  rows: readonly CompartmentReport[],
): Promise<void> {
  await db.run(sql`
    update compartment p set door_front = r.front, item = r.item,
      door_back = case when p.door_back is not null then coalesce(r.back, 'UNKNOWN') end,
      reported_boot_no = ${order.bootNo}, reported_n = ${order.n}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(no int, front text, back text, item text)
    where p.tenant_id = ${tenantId} and p.cabinet_id = ${cabinetId} and p.no = r.no
      and (p.reported_boot_no is null
        or (p.reported_boot_no, p.reported_n) < (${order.bootNo}::bigint, ${order.n}::bigint))`);
}

/** Keeps what a newer report said. */
export async function applyConfig(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  order: { bootNo: number; n: number },
  config: { version: number; values: ConfigValues },
): Promise<void> {
  await db.run(sql`
    update cabinet set reported_config_version = ${config.version},
      reported_config = ${JSON.stringify(config.values)}::jsonb,
      reported_config_at = now(), reported_config_boot_no = ${order.bootNo}, reported_config_n = ${order.n}
    where tenant_id = ${tenantId} and id = ${cabinetId}
      and (reported_config_boot_no is null or (reported_config_boot_no, reported_config_n)
        < (${order.bootNo}::bigint, ${order.n}::bigint))`);
}

export interface CabinetEvent {
  kind: string;
  /** Absent for what the server itself observed. */
  order?: { bootNo: number; n: number };
  compartmentNo?: number | undefined;
  side?: string | undefined;
  commandId?: string | undefined;
  /** Unix milliseconds by the cabinet's clock. */
  deviceAt?: number | undefined;
  /** JSON. */
  payload?: string | undefined;
}

/** Adds to the cabinet's log; the same report again adds nothing. */
export async function insertCabinetEvent(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  event: CabinetEvent,
): Promise<void> {
  await db.run(sql`
    insert into cabinet_event (tenant_id, cabinet_id, boot_no, n, kind, compartment_no, side,
      command_id, device_at, payload)
    values (${tenantId}, ${cabinetId}, ${event.order?.bootNo ?? null}, ${event.order?.n ?? null},
      ${event.kind}, ${event.compartmentNo ?? null}, ${event.side ?? null},
      ${event.commandId ?? null}, to_timestamp(${event.deviceAt ?? null}::float8 / 1000),
      ${event.payload ?? null}::jsonb)
    on conflict (tenant_id, cabinet_id, boot_no, n) do nothing`);
}
