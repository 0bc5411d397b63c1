// Applies reports: presence, missing reports, state, log, and the session that a birth begins.
import {
  type EventKind,
  MAX_SKEW_SECONDS,
} from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import {
  type Ack,
  type Birth,
  compartmentsOf,
  type EventReport,
  type Heartbeat,
  type OpenedUp,
  type SealedMessage,
  type SetAside,
  type StateReport,
  sealDown,
  UNKNOWN_APP_VERSION,
} from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import type { CabinetLog } from "../gate/cabinet-log.service.ts";
import { useChallenge } from "../gate/challenge.sql.ts";
import type { CabinetIdentity } from "../gate/keyring.cache.ts";
import { markSecretUsed } from "../gate/secret.sql.ts";
import {
  endBirthRequests,
  type HeardCabinet,
  requestBirths,
} from "../presence/birth-request.sql.ts";
import { notifyConfig } from "../presence/config.signal.ts";
import { type CabinetKey, IDENTITY_SHARED_HOURS } from "../presence/presence.sql.ts";
import { overtakeConfigVersion } from "../rows/desired-config.sql.ts";
import { heardAgain, judgeBirth } from "./cabinet-run.rules.ts";
import type { CommandReports } from "./command-reports.port.ts";
import type { ConditionReport, ConditionReports } from "./condition-reports.port.ts";
import type { OrderReports } from "./order-reports.port.ts";
import {
  brokenCounter,
  countedAnew,
  isMonoReset,
  numbersAfterBirth,
  plausibleTime,
} from "./plausibility.rules.ts";
import type { PlaylistReports } from "./playlist-reports.port.ts";
import {
  findNewlyOpened,
  type LockedCabinet,
  lockReportingCabinets,
  reportName,
  saveChanges,
} from "./report.sql.ts";
import {
  ReportChanges,
  type ReportingCabinet,
  type ReportOrder,
  type ShownOpening,
} from "./report-changes.flow.ts";
import { isNewer, trackReport } from "./report-track.rules.ts";
import type { BornCabinet, RolloutReports } from "./rollout-reports.port.ts";

const MAX_INT = 2 ** 31 - 1;
/** Kind of a DOOR_OPENED event that no command caused. */
const UNCOMMANDED_OPENING = "UNCOMMANDED_OPENING" satisfies EventKind;
const IDENTITY_SHARED = "IDENTITY_SHARED" satisfies EventKind;
const NONE = "NONE";
/** Named once in this time, however often the two take over from each other. */
const SHARED_EVERY_MS = 10 * 60_000;

export type Report = Extract<OpenedUp, { ok: true }>;
/** A report that counts within its start of the cabinet. */
type Counted = Exclude<Report, { kind: "will" }>;

/** The broker's own report: the connection opened with this nonce has ended. */
export interface EndOfConnection {
  ok: true;
  kind: "end";
  message: { nonce: string };
}

/** One report of one cabinet, its signature checked. */
export interface ReportOf {
  identity: Pick<CabinetIdentity, "tenantId" | "cabinetId" | "sn" | "keys">;
  /** The key that signed the report; null for a report of the broker itself. */
  kid: string | null;
  report: Report | EndOfConnection;
}

export interface ReportTools {
  gatewayId: string;
  commands: CommandReports;
  playlists: PlaylistReports;
  rollouts: RolloutReports;
  orders: OrderReports;
  conditions: ConditionReports;
  /** Rate limited, and written outside of the report's transaction. */
  cabinetLog: Pick<CabinetLog, "add">;
}

interface ReportContext extends ReportTools {
  db: Db;
  locked: LockedCabinet;
  changes: ReportChanges;
  /** Passed to the roll-outs once everything is stored. */
  births: Map<number, BornCabinet>;
  configured: Set<number>;
  /** Cabinets with a report that orders may be waiting for. */
  followed: Set<number>;
}

/**
 * Applies reports of one tenant's cabinets, each one's in order, in the current transaction. Returns the messages to
 * send after commit, by cabinet; left out are cabinets where nothing was applied, because a key is no longer in force
 * or, unless `isPatient`, the row is locked.
 */
export async function applyReports(
  db: Db,
  reports: readonly ReportOf[],
  isPatient: boolean,
  tools: ReportTools,
): Promise<Map<number, SealedMessage[]>> {
  const byCabinet = Map.groupBy(reports, ({ identity }) => identity.cabinetId);
  const tenantId = reports[0]?.identity.tenantId ?? 0;
  const rows = await lockReportingCabinets(db, tenantId, [...byCabinet.keys()], isPatient);
  const changes = new ReportChanges();
  const births = new Map<number, BornCabinet>();
  const configured = new Set<number>();
  const followed = new Set<number>();
  const heard: HeardCabinet[] = [];
  const answers = new Map<number, SealedMessage[]>();
  await Promise.all(
    [...rows].map(async ([cabinetId, locked]) => {
      const theirs = byCabinet.get(cabinetId) ?? [];
      if (theirs.some(({ kid }) => kid !== null && !locked.kidsInForce.includes(kid))) return;
      const messages: SealedMessage[] = [];
      answers.set(cabinetId, messages);
      for (const each of theirs) {
        const context = { ...tools, db, locked, changes, births, configured, followed };
        messages.push(...(await applyReport(each, context)));
      }
      const kid = heardBy(theirs);
      if (!locked.cabinet.isGreeted && kid) heard.push({ tenantId, cabinetId, kid });
    }),
  );
  await noteShownOpenings(db, changes, rows, tools);
  const stored = await saveChanges(db, changes);
  const conditions = conditionsOf(changes, stored, tools.conditions);
  if (conditions.length > 0) await tools.conditions.reported(db, conditions);
  for (const place of forcedIn(changes, stored)) await tools.orders.forced(db, place);
  if (heard.length > 0) await requestBirths(db, heard);
  if (births.size > 0) await endBirthRequests(db, tenantId, [...births.keys()]);
  if (births.size > 0) await tools.rollouts.born(db, tenantId, [...births.values()]);
  if (configured.size > 0) await tools.rollouts.configsReported(db, tenantId, [...configured]);
  if (followed.size > 0) await tools.orders.reported(db, tenantId, [...followed]);
  return answers;
}

/** The key of the last report, if that report shows that the cabinet is connected. */
function heardBy(reports: readonly ReportOf[]): string | null {
  const last = reports.at(-1);
  return last && last.report.kind !== "will" ? last.kid : null;
}

async function applyReport(
  { identity, kid, report }: ReportOf,
  context: ReportContext,
): Promise<SealedMessage[]> {
  const { db, locked, changes, commands, playlists } = context;
  const { cabinet } = locked;
  if (report.kind === "will" || report.kind === "end") {
    endConnection(cabinet, report.message.nonce, changes);
    return [];
  }
  const answer =
    report.kind === "birth" ? await applyBirth(report.message, identity, kid ?? "", context) : [];
  if (dropsBrokenCounter(identity, report, context)) return [];
  noteReadings(identity, report, context);
  const order = { bootNo: cabinet.bootBase + report.message.bootNo, n: report.message.n };
  const isVital = report.kind === "birth" || report.kind === "hb";
  const isFresh = isVital && applyVitals(report.message, order.bootNo, locked, changes);
  if (report.kind === "hb" && !isFresh) return [];
  if (report.kind === "hb") {
    const { bootNo, mono } = report.message;
    cabinet.run = heardAgain(cabinet.run, { bootNo, mono, atMs: locked.now });
  }
  if (report.kind !== "hb") context.followed.add(cabinet.cabinetId);
  Object.assign(cabinet, trackReport(cabinet, { ...order, ...coverageOf(report) }));
  if (report.kind === "ack") {
    noteWritten(cabinet, report.message);
    await commands.acknowledge(db, cabinet, [{ ...report.message, order }]);
  }
  const isHeard = cabinet.connectionNonce !== null;
  if (isHeard && cabinet.announced !== "ONLINE") {
    cabinet.announced = "ONLINE";
    changes.note(cabinet, { kind: "ONLINE" });
  }
  changes.touch(cabinet, isHeard);
  if (report.kind === "evt") {
    const cause = await causeOf(report.message, order, context);
    noteEvent(locked, { ...report, order, cause }, changes);
    const { job } = report.message;
    if (job) await context.rollouts.jobReported(db, cabinet, { ...job, bootNo: order.bootNo });
  }
  if (report.kind === "state") noteResynced(cabinet, report.message, order);
  noteState(cabinet, report, order, changes);
  if (report.kind === "state" && report.message.config) {
    context.configured.add(cabinet.cabinetId);
    const isRaised = await overtakeConfig(db, locked, report.message.config.version);
    if (isRaised) await notifyConfig(db, cabinet);
  }
  const playlist = report.kind === "state" && report.message.playlist;
  if (playlist) await playlists.apply(db, cabinet, order, playlist);
  return answer;
}

/**
 * True for a report whose counters cannot follow the known ones: its place in the cabinet's history is unknown, so that
 * it decides nothing. The birth that is requested in its place begins a new count. Births have begun theirs.
 */
function dropsBrokenCounter(
  { sn }: ReportOf["identity"],
  { kind, message }: Counted,
  { locked: { cabinet }, changes, cabinetLog }: ReportContext,
): boolean {
  const broken = brokenCounter(message, cabinet);
  if (!broken) return false;
  const detail = `/${broken} ${message[broken]}`;
  const payload = { topic: `up/${kind}`, why: "COUNTER", detail };
  cabinetLog.add(sn, { kind: "REPORT_DROPPED", cause: `${kind} COUNTER ${broken}`, payload });
  cabinet.isGreeted = false;
  changes.touch(cabinet, cabinet.connectionNonce !== null);
  return true;
}

/** Keeps which fields were invalid when last reported, and logs those that have become so. */
function noteReadings(
  { sn }: ReportOf["identity"],
  { message, setAside }: Counted,
  { locked: { cabinet }, cabinetLog }: ReportContext,
): void {
  if (setAside.length === 0 && cabinet.invalidReadings.length === 0) return;
  const known = cabinet.invalidReadings;
  const invalid = new Set(setAside.map(({ field }) => field.split(".")[0] ?? field));
  const isReported = (field: string) => Object.hasOwn(message, field);
  const lasting = known.filter((field) => invalid.has(field) || !isReported(field));
  cabinet.invalidReadings = [...new Set([...lasting, ...invalid])];
  const added = setAside.filter(({ field }) => !known.includes(field.split(".")[0] ?? field));
  if (added.length === 0) return;
  const readings = added.map(({ field, value }) => ({ field, value: briefly(value) }));
  const cause = added.map(({ field }) => field).join(" ");
  cabinetLog.add(sn, { kind: "INVALID_READINGS", cause, payload: { readings } });
}

const MAX_SHOWN = 40;

/** A value that was set aside as text for the log. */
function briefly(value: SetAside["value"]): string {
  const text = JSON.stringify(value) ?? "";
  return text.replaceAll(/[\p{C}\\]/gu, "?").slice(0, MAX_SHOWN);
}

/** Puts the desired version above one that the cabinet has and we never gave; true if it had to. */
async function overtakeConfig(db: Db, locked: LockedCabinet, reported: number): Promise<boolean> {
  if (reported <= locked.desiredConfigVersion) return false;
  locked.desiredConfigVersion = reported + 1;
  await overtakeConfigVersion(db, locked.cabinet, reported);
  return true;
}

/** Ends the connection with this nonce; a newer one is left alone. */
function endConnection(cabinet: ReportingCabinet, nonce: string, changes: ReportChanges): void {
  if (cabinet.connectionNonce !== nonce) return;
  Object.assign(cabinet, { connectionNonce: null, connectionKid: null, isGreeted: false });
  changes.end(cabinet);
}

function coverageOf(report: Report): { isHeartbeat?: boolean; coversBefore?: number } {
  if (report.kind === "hb") return { isHeartbeat: true };
  const isSnapshot = report.kind === "birth" || (report.kind === "state" && report.message.full);
  return isSnapshot ? { coversBefore: report.message.n - report.message.part + 1 } : {};
}

/** A birth ends the session; the last part of the newest one begins the next, with a new epoch. */
async function applyBirth(
  birth: Birth,
  identity: ReportOf["identity"],
  kid: string,
  { db, locked, changes, births, gatewayId, commands, playlists, cabinetLog }: ReportContext,
): Promise<SealedMessage[]> {
  const { cabinet, now, desiredConfig } = locked;
  const broken = brokenCounter(birth, cabinet);
  const counted = broken ? countedAnew(birth, cabinet) : null;
  const { bootBase } = counted ?? cabinet;
  // Journal entries are ordered before the birth's first part: its snapshot is newer than all of them.
  const before = { bootNo: bootBase + birth.bootNo, n: birth.n - birth.part };
  const entries = birth.journal.flatMap(({ stage, ...entry }) =>
    stage === "STARTED" ? [] : [{ ...entry, stage, order: before }],
  );
  const isOfConnection = birth.nonce === cabinet.connectionNonce;
  // Without its connection a birth begins no count, and the place of its journal in the history is unknown.
  const isPlaced = isOfConnection || !broken;
  if (entries.length > 0 && isPlaced) await commands.acknowledge(db, cabinet, entries);
  if (!isOfConnection) {
    // A broker without our authentication hook let it in; the signed birth is then the proof for the nonce.
    if (!(await useChallenge(db, birth.nonce))) return [];
    cabinet.connectionNonce = birth.nonce;
    cabinet.connectionKid = kid;
    await markSecretUsed(db, cabinet, kid);
  }
  const isFirst = birth.nonce !== cabinet.birthNonce;
  if (broken) {
    Object.assign(cabinet, counted, { missing: [] });
    logJump(identity, broken, birth[broken], cabinetLog);
  } else if (isFirst && cabinet.bootBase + birth.bootNo < (cabinet.bootNo ?? 0)) {
    cabinet.bootBase = cabinet.bootNo ?? 0;
  }
  const order = { bootNo: cabinet.bootBase + birth.bootNo, n: birth.n };
  const stored = { bootNo: cabinet.birthBootNo, n: cabinet.birthN };
  if (!isFirst && !isNewer(order, stored)) return [];
  if (stored.bootNo !== null && order.bootNo > stored.bootNo) {
    const deviceAt = plausibleTime(birth.at, now);
    changes.note(cabinet, { kind: "BOOTED", order, deviceAt });
  }
  // A number that cannot follow the known ones says nothing about which of two cabinets sent it.
  if (broken) cabinet.run = cabinet.run && { ...cabinet.run, isTrusted: false };
  else trackRun(cabinet, birth, { now, isFirst }, changes);
  Object.assign(cabinet, {
    isGreeted: false,
    birthNonce: birth.nonce,
    birthBootNo: order.bootNo,
    birthN: order.n,
    appVersion: knownVersion(birth) ?? cabinet.appVersion,
  });
  if (birth.part < birth.parts) return [];
  Object.assign(cabinet, { isGreeted: true, gatewayId, epoch: cabinet.epoch + 1 });
  const isTrusted = isOfOneCabinet(cabinet, now);
  if (isTrusted) {
    // Commands of earlier epochs are no longer executed: this snapshot is later than all of them.
    noteSnapshot(cabinet, birth, order, new Date(now).toISOString());
    // One that is due later is about a lock that may still open.
    if (cabinet.resyncDueAt && Date.parse(cabinet.resyncDueAt) <= now) cabinet.resyncDueAt = null;
  } else {
    // The snapshot may show another cabinet than the one that got the commands.
    Object.assign(cabinet, { snapshotBootNo: null, snapshotN: null, snapshotAskedAt: null });
    cabinet.resyncDueAt ??= new Date(now).toISOString();
  }
  if (cabinet.lifecycle === "INACTIVE") {
    // First contact puts the cabinet in service: nobody has to activate it by hand.
    cabinet.lifecycle = "ACTIVE";
    changes.note(cabinet, { kind: "ACTIVATED" });
  }
  const { lastSeq } = birth;
  const { isMemoryLost, isFarAhead, ...numbers } = numbersAfterBirth(lastSeq, cabinet);
  await commands.settleEarlier(db, cabinet, {
    ...{ epoch: cabinet.epoch, lastSeq, isMemoryLost: isMemoryLost || !isTrusted },
  });
  Object.assign(cabinet, numbers);
  if (isFarAhead) logJump(identity, "lastSeq", lastSeq, cabinetLog);
  const { cabinetId } = cabinet;
  births.set(cabinetId, { cabinetId, appVersion: knownVersion(birth), bootNo: order.bootNo });
  await overtakeConfig(db, locked, birth.configVersion);
  const { desiredConfigVersion } = locked;
  const keys = identity.keys.get(cabinet.connectionKid ?? kid);
  if (!keys) return [];
  const hello = sealDown(keys, identity.sn, "hello", {
    epoch: cabinet.epoch,
    echo: { nonce: birth.nonce, n: birth.n },
    serverTime: now,
    configVersion: desiredConfigVersion,
  });
  const playlist = await playlists.greet(db, cabinet, birth.playlistVersion);
  const isPlaylistNew = playlist && playlist.version > (birth.playlistVersion ?? 0);
  if (desiredConfigVersion <= birth.configVersion && !isPlaylistNew) return [hello];
  const { epoch } = cabinet;
  const request = { epoch, version: desiredConfigVersion, values: desiredConfig };
  const config = { ...request, ...(isPlaylistNew && { playlist }) };
  return [hello, sealDown(keys, identity.sn, "cfg", config)];
}

/** Null if the birth names no version that could be read. */
function knownVersion({ appVersion }: Birth): string | null {
  return appVersion === UNKNOWN_APP_VERSION ? null : appVersion;
}

/** Logs a counter that went so far that the cabinet must have lost its memory. */
function logJump(
  { sn }: ReportOf["identity"],
  field: "bootNo" | "n" | "lastSeq",
  value: number,
  cabinetLog: ReportTools["cabinetLog"],
): void {
  cabinetLog.add(sn, { kind: "COUNTER_JUMPED", cause: field, payload: { field, value } });
}

/** Follows the cabinet's starts; notes when two of them must be those of two cabinets. */
function trackRun(
  cabinet: ReportingCabinet,
  { bootNo, n, mono }: Birth,
  { now, isFirst }: { now: number; isFirst: boolean },
  changes: ReportChanges,
): void {
  const birth = { bootNo, n, mono, atMs: now };
  if (!isFirst) {
    cabinet.run = heardAgain(cabinet.run, birth);
    return;
  }
  const { run, isShared } = judgeBirth(cabinet.run, birth);
  cabinet.run = run;
  if (!isShared) return;
  const namedMs = cabinet.identitySharedAt ? Date.parse(cabinet.identitySharedAt) : 0;
  if (now - namedMs < SHARED_EVERY_MS) return;
  cabinet.identitySharedAt = new Date(now).toISOString();
  changes.note(cabinet, { kind: IDENTITY_SHARED });
}

/** True if this birth can only be that of the cabinet that was heard before. */
function isOfOneCabinet({ run, identitySharedAt }: ReportingCabinet, now: number): boolean {
  const isShared =
    identitySharedAt !== null &&
    now - Date.parse(identitySharedAt) < IDENTITY_SHARED_HOURS * 3_600_000;
  return !isShared && (run?.isTrusted ?? true);
}

/** Records the snapshot that begins with part 1 of this report, unless a newer one is known. */
function noteSnapshot(
  cabinet: ReportingCabinet,
  { part }: Pick<Birth, "part">,
  { bootNo, n }: ReportOrder,
  askedAt: string,
): void {
  const first = { bootNo, n: n - part + 1 };
  if (!isNewer(first, { bootNo: cabinet.snapshotBootNo, n: cabinet.snapshotN })) return;
  Object.assign(cabinet, { snapshotBootNo: bootNo, snapshotN: first.n, snapshotAskedAt: askedAt });
}

/** An answer to the last RESYNC shows the cabinet as it was after that request, however late it arrives. */
function noteResynced(cabinet: ReportingCabinet, state: StateReport, order: ReportOrder): void {
  const { resyncId, resyncAt, resyncDueAt } = cabinet;
  if (!state.full || !resyncAt || state.cmdId !== resyncId) return;
  noteSnapshot(cabinet, state, order, resyncAt);
  if (resyncDueAt && Date.parse(resyncAt) >= Date.parse(resyncDueAt)) cabinet.resyncDueAt = null;
}

/** Takes measurements and clock from the newest heartbeat or birth; false for an older one. */
function applyVitals(
  message: Birth | Heartbeat,
  bootNo: number,
  { cabinet, now }: LockedCabinet,
  changes: ReportChanges,
): boolean {
  const stored = { bootNo: cabinet.heartbeatBootNo, n: cabinet.heartbeatMono };
  const isReset = bootNo === stored.bootNo && isMonoReset(message.mono, stored.n ?? 0);
  if (!isReset && !isNewer({ bootNo, n: message.mono }, stored)) return false;
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
    changes.note(cabinet, {
      kind: "CLOCK_SKEW",
      deviceAt: plausibleTime(message.at, now),
      payload,
    });
  }
  return true;
}

/** Conditions from events stored for the first time; a redelivered event, whose answer was lost, is skipped. */
function conditionsOf(
  { events }: ReportChanges,
  stored: ReadonlySet<string>,
  { isWatched }: ConditionReports,
): ConditionReport[] {
  return events.flatMap(({ order, kind, tenantId, cabinetId, isActive = true, ...event }) => {
    if (!isWatched(kind) || (order && !stored.has(reportName(cabinetId, order)))) return [];
    const { compartmentNo = null, value = null } = event;
    const at = order ?? { bootNo: null, n: null };
    return [{ tenantId, cabinetId, kind, compartmentNo, isActive, value, ...at }];
  });
}

/** The command that opened the door; NONE: nobody requested it; undefined for other events. */
async function causeOf(
  { type, cmdId, side, compartment, bootNo, mono }: EventReport,
  order: ReportOrder,
  { db, locked, commands }: ReportContext,
): Promise<string | undefined> {
  if (type !== "DOOR_OPENED" || !compartment) return undefined;
  const opening = { cmdId, no: compartment.no, side, order, reported: { bootNo, mono } };
  return (await commands.doorOpened(db, locked.cabinet, opening)) ?? NONE;
}

/** Notes doors that were shut and are now shown open although neither a command nor an event says why. */
async function noteShownOpenings(
  db: Db,
  changes: ReportChanges,
  rows: ReadonlyMap<number, LockedCabinet>,
  { commands }: ReportTools,
): Promise<void> {
  if (changes.openDoors.length === 0) return;
  const isNoted = ({ cabinetId, no }: CabinetKey & ShownOpening) =>
    changes.events.some(
      (event) =>
        event.cabinetId === cabinetId &&
        event.compartmentNo === no &&
        event.kind === UNCOMMANDED_OPENING,
    );
  for (const opening of await findNewlyOpened(db, changes.openDoors)) {
    const cabinet = rows.get(opening.cabinetId)?.cabinet;
    if (!cabinet || isNoted(opening)) continue;
    if (await commands.doorOpened(db, cabinet, opening)) continue;
    const { no: compartmentNo, side } = opening;
    changes.note(cabinet, { kind: UNCOMMANDED_OPENING, compartmentNo, side });
  }
}

/** Compartments that opened without a command, by events that are new. */
function forcedIn({ events }: ReportChanges, stored: ReadonlySet<string>) {
  return events.flatMap(({ tenantId, cabinetId, kind, order, compartmentNo: no }) => {
    const isNew = order === undefined || stored.has(reportName(cabinetId, order));
    if (kind !== UNCOMMANDED_OPENING || !isNew || no === undefined) return [];
    return [{ tenantId, cabinetId, no }];
  });
}

function noteEvent(
  { cabinet, now }: LockedCabinet,
  event: Pick<Extract<Report, { kind: "evt" }>, "message" | "setAside" | "json"> & {
    order: ReportOrder;
    cause: string | undefined;
  },
  changes: ReportChanges,
): void {
  const { message, setAside, json, order, cause = message.cmdId } = event;
  changes.note(cabinet, {
    kind: cause === NONE ? UNCOMMANDED_OPENING : message.type,
    order,
    compartmentNo: message.compartment?.no,
    side: message.side,
    commandId: cause && isUuid(cause) ? cause : undefined,
    deviceAt: plausibleTime(message.at, now),
    payload: setAside.length === 0 && isStorable(json) ? json : JSON.stringify(message),
    isActive: message.active ?? true,
    value: message.value,
  });
}

/** Collects the state of its compartments and its config from a report. */
function noteState(
  cabinet: CabinetKey,
  report: Report,
  order: ReportOrder,
  changes: ReportChanges,
): void {
  if (report.kind !== "birth" && report.kind !== "state" && report.kind !== "evt") return;
  const compartments = compartmentsOf(report.message);
  changes.setCompartments(cabinet, order, compartments);
  const { tenantId, cabinetId } = cabinet;
  const { bootNo, mono } = report.message;
  // An event of a door reports its opening itself.
  for (const { no, front, back } of report.kind === "evt" ? [] : compartments) {
    const at = { tenantId, cabinetId, no, order, reported: { bootNo, mono } };
    if (front === "OPEN") changes.openDoors.push({ ...at, side: "FRONT" });
    if (back === "OPEN") changes.openDoors.push({ ...at, side: "BACK" });
  }
  const config = report.kind === "state" && report.message.config;
  if (config) changes.setConfig(cabinet, order, config);
}

/**
 * Notes the highest seq that the cabinet has on disk: these stages follow a STARTED there, a refusal need not. A seq
 * that no command was given proves nothing.
 */
function noteWritten(cabinet: ReportingCabinet, { stage, seq = 0 }: Ack): void {
  const isWritten = ["ACKED", "CONFIRMED", "NOT_CONFIRMED"].includes(stage);
  if (!isWritten || seq > cabinet.commandSeq) return;
  cabinet.acknowledgedSeq = Math.max(cabinet.acknowledgedSeq, seq);
}

/** The server's commands have UUIDs as ids. */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}

/** PostgreSQL's jsonb accepts no NUL and no unpaired surrogate. */
function isStorable(json: string): boolean {
  return !/\\u(?:0000|d[89a-f])/i.test(json);
}
