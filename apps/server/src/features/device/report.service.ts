// What one report means: presence, missing reports, state, log, and the session that a birth begins.
import {
  type Ack,
  type Birth,
  compartmentsOf,
  type EventReport,
  type Heartbeat,
  type OpenedUp,
  type SealedMessage,
  sealDown,
} from "@cabinet/link";
import type { Db } from "../../platform/db.ts";
import { useChallenge } from "./challenge.sql.ts";
import type { CommandReports } from "./command-reports.ts";
import type { CabinetIdentity } from "./keyring.ts";
import { type CabinetKey, endConnection } from "./presence.sql.ts";
import {
  applyCompartments,
  applyConfig,
  insertCabinetEvent,
  type LockedCabinet,
  lockCabinet,
  type ReportingCabinet,
  saveCabinet,
} from "./report.sql.ts";
import { isNewer, trackReport } from "./report-track.rules.ts";
import { markSecretUsed } from "./secret.sql.ts";

/** A clock further off than this is flagged in the log. */
const MAX_SKEW_SECONDS = 120;
const MAX_INT = 2 ** 31 - 1;

export type Report = Extract<OpenedUp, { ok: true }>;

export interface ReportParts {
  identity: CabinetIdentity;
  /** Which of its keys the report was signed with. */
  kid: string;
  gatewayId: string;
  commands: CommandReports;
}

/**
 * Applies one report in the transaction at hand and returns what to send once it is committed;
 * null when the key it was signed with is not in force any more.
 */
export async function applyReport(
  db: Db,
  report: Report,
  parts: ReportParts,
): Promise<SealedMessage[] | null> {
  const locked = await lockCabinet(db, parts.identity, parts.kid);
  if (!locked?.isKidValid) return null;
  if (report.kind === "will") {
    await endConnection(db, parts.identity, report.message.nonce);
    return [];
  }
  const { cabinet } = locked;
  const answer = report.kind === "birth" ? await applyBirth(db, report.message, locked, parts) : [];
  const bootNo = cabinet.bootBase + report.message.bootNo;
  const order = { bootNo, n: report.message.n };
  Object.assign(cabinet, trackReport(cabinet, { ...order, ...coverageOf(report) }));
  if (report.kind === "birth" || report.kind === "hb") {
    const isFresh = await applyVitals(db, report.message, order.bootNo, locked);
    if (report.kind === "hb" && !isFresh) return [];
  }
  if (report.kind === "ack") noteWritten(cabinet, report.message);
  const isHeard = cabinet.connectionNonce !== null;
  const isBack = isHeard && cabinet.announced !== "ONLINE";
  // Independent of each other, so they go in one round trip.
  await Promise.all([
    isBack && insertCabinetEvent(db, cabinet, { kind: "ONLINE" }),
    report.kind === "evt" && applyEvent(db, report.message, order, report.json, parts),
    report.kind === "ack" && parts.commands.acknowledge(db, cabinet, [report.message]),
    applyState(db, report, order, cabinet),
    saveCabinet(db, cabinet, isHeard),
  ]);
  return answer;
}

function coverageOf(report: Report): { isHeartbeat?: boolean; coversBefore?: number } {
  if (report.kind === "hb") return { isHeartbeat: true };
  const isSnapshot = report.kind === "birth" || (report.kind === "state" && report.message.full);
  return isSnapshot ? { coversBefore: report.message.n - report.message.part + 1 } : {};
}

/** A birth ends the session; the last part of the newest one begins the next, with a new epoch. */
async function applyBirth(
  db: Db,
  birth: Birth,
  { cabinet, now, desiredConfig, desiredConfigVersion }: LockedCabinet,
  { identity, kid, gatewayId, commands }: ReportParts,
): Promise<SealedMessage[]> {
  const entries = birth.journal.flatMap(({ cmdId, stage, reason }) =>
    stage === "STARTED" ? [] : [{ cmdId, stage, reason }],
  );
  if (entries.length > 0) await commands.acknowledge(db, cabinet, entries);
  if (birth.nonce !== cabinet.connectionNonce) {
    // A broker that does not ask us lets it in; the signed birth is then the proof for the nonce.
    if (!(await useChallenge(db, birth.nonce))) return [];
    cabinet.connectionNonce = birth.nonce;
    cabinet.connectionKid = kid;
    await markSecretUsed(db, cabinet, kid);
  }
  const isFirst = birth.nonce !== cabinet.birthNonce;
  if (isFirst && cabinet.bootBase + birth.bootNo < (cabinet.bootNo ?? 0)) {
    cabinet.bootBase = cabinet.bootNo ?? 0;
  }
  const order = { bootNo: cabinet.bootBase + birth.bootNo, n: birth.n };
  const stored = { bootNo: cabinet.birthBootNo, n: cabinet.birthN };
  if (!isFirst && !isNewer(order, stored)) return [];
  if (stored.bootNo !== null && order.bootNo > stored.bootNo) {
    await insertCabinetEvent(db, cabinet, { kind: "BOOTED", order, deviceAt: birth.at });
  }
  Object.assign(cabinet, {
    isGreeted: false,
    birthNonce: birth.nonce,
    birthBootNo: order.bootNo,
    birthN: order.n,
    appVersion: birth.appVersion,
  });
  if (birth.part < birth.parts) return [];
  Object.assign(cabinet, { isGreeted: true, gatewayId, epoch: cabinet.epoch + 1 });
  if (cabinet.lifecycle === "INACTIVE") {
    // What it was made for begins: nobody has to switch it to running by hand.
    cabinet.lifecycle = "ACTIVE";
    await insertCabinetEvent(db, cabinet, { kind: "ACTIVATED" });
  }
  await commands.settleEarlier(db, cabinet, {
    epoch: cabinet.epoch,
    lastSeq: birth.lastSeq,
    isMemoryLost: birth.lastSeq < cabinet.acknowledgedSeq,
  });
  cabinet.acknowledgedSeq = Math.max(cabinet.acknowledgedSeq, birth.lastSeq);
  cabinet.commandSeq = Math.max(cabinet.commandSeq, birth.lastSeq);
  const keys = identity.keys.get(cabinet.connectionKid ?? kid);
  if (!keys) return [];
  const hello = sealDown(keys, identity.sn, "hello", {
    epoch: cabinet.epoch,
    echo: { nonce: birth.nonce, n: birth.n },
    serverTime: now,
    configVersion: desiredConfigVersion,
  });
  if (desiredConfigVersion <= birth.configVersion) return [hello];
  const { epoch } = cabinet;
  const config = { epoch, version: desiredConfigVersion, values: desiredConfig };
  return [hello, sealDown(keys, identity.sn, "cfg", config)];
}

/** Measurements and the clock, from the newest heartbeat or birth; false for one that is not. */
async function applyVitals(
  db: Db,
  message: Birth | Heartbeat,
  bootNo: number,
  { cabinet, now }: LockedCabinet,
): Promise<boolean> {
  const stored = { bootNo: cabinet.heartbeatBootNo, n: cabinet.heartbeatMono };
  if (!isNewer({ bootNo, n: message.mono }, stored)) return false;
  cabinet.heartbeatBootNo = bootNo;
  cabinet.heartbeatMono = message.mono;
  cabinet.signalDbm = message.signalDbm ?? cabinet.signalDbm;
  cabinet.temperatureC = message.temperatureC ?? cabinet.temperatureC;
  if (message.at === undefined) return true;
  const skew = Math.round((message.at - now) / 1000);
  const wasSkewed = Math.abs(cabinet.clockSkewSeconds ?? 0) > MAX_SKEW_SECONDS;
  cabinet.clockSkewSeconds = Math.max(-MAX_INT, Math.min(MAX_INT, skew));
  if (Math.abs(skew) > MAX_SKEW_SECONDS && !wasSkewed) {
    const payload = JSON.stringify({ skewSeconds: skew });
    await insertCabinetEvent(db, cabinet, { kind: "CLOCK_SKEW", deviceAt: message.at, payload });
  }
  return true;
}

async function applyEvent(
  db: Db,
  event: EventReport,
  order: { bootNo: number; n: number },
  json: string,
  { identity }: ReportParts,
): Promise<void> {
  await insertCabinetEvent(db, identity, {
    kind: event.type,
    order,
    compartmentNo: event.compartment?.no,
    side: event.side,
    commandId: event.cmdId && isUuid(event.cmdId) ? event.cmdId : undefined,
    deviceAt: event.at,
    payload: isStorable(json) ? json : JSON.stringify(event),
  });
}

/** What it tells of its compartments and its config. */
async function applyState(
  db: Db,
  report: Report,
  order: { bootNo: number; n: number },
  cabinet: CabinetKey,
): Promise<void> {
  if (report.kind !== "birth" && report.kind !== "state" && report.kind !== "evt") return;
  const rows = compartmentsOf(report.message);
  if (rows.length > 0) await applyCompartments(db, cabinet, order, rows);
  const config = report.kind === "state" && report.message.config;
  if (config) await applyConfig(db, cabinet, order, config);
}

/** These stages follow a STARTED on the cabinet's disk; a refusal need not have been written. */
function noteWritten(cabinet: ReportingCabinet, ack: Ack): void {
  const isWritten = ["ACKED", "CONFIRMED", "NOT_CONFIRMED"].includes(ack.stage);
  if (isWritten) cabinet.acknowledgedSeq = Math.max(cabinet.acknowledgedSeq, ack.seq ?? 0);
}

/** The server's commands are named by UUIDs. */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}

/** The database takes no NUL and no half of a surrogate pair. */
function isStorable(json: string): boolean {
  return !/\\u(?:0000|d[89a-f])/i.test(json);
}
