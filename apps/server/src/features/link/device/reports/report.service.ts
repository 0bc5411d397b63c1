// Applies reports: presence, missing reports, state and log.
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
  type SealedMessage,
} from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import {
  endBirthRequests,
  type HeardCabinet,
  requestBirths,
} from "../presence/birth-request.sql.ts";
import { notifyConfig } from "../presence/config.signal.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";
import { applyBirth, noteResynced, overtakeConfig } from "./birth.flow.ts";
import { heardAgain, lineOf } from "./cabinet-run.rules.ts";
import type { ConditionReport, ConditionReports } from "./condition-reports.port.ts";
import { isMonoReset, plausibleTime } from "./plausibility.rules.ts";
import {
  findNewlyOpened,
  type LockedCabinet,
  lockReportingCabinets,
  reportName,
  saveChanges,
} from "./report.sql.ts";
import { dropsBrokenCounter, noteReadings } from "./report-border.flow.ts";
import {
  ReportChanges,
  type ReportingCabinet,
  type ReportOrder,
  type ShownOpening,
} from "./report-changes.flow.ts";
import type { Report, ReportContext, ReportOf, ReportTools } from "./report-context.flow.ts";
import { isNewer, trackReport } from "./report-track.rules.ts";
import type { BornCabinet } from "./rollout-reports.port.ts";

const MAX_INT = 2 ** 31 - 1;
/** Kind of a DOOR_OPENED event that no command caused. */
const UNCOMMANDED_OPENING = "UNCOMMANDED_OPENING" satisfies EventKind;
const NONE = "NONE";

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
  const returned = [...rows.values()].flatMap(({ cabinet, silentSeconds: seconds }) => {
    const isBack = changes.cabinets.get(cabinet)?.isHeard && seconds > cabinet.silenceSeconds;
    return isBack ? [{ cabinetId: cabinet.cabinetId, seconds }] : [];
  });
  if (returned.length > 0) await tools.orders.returned(db, tenantId, returned);
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
    const { epoch } = lineOf(cabinet.run);
    await commands.acknowledge(db, cabinet, [{ ...report.message, order }], epoch);
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
  // An event of a door that opened reports it itself; every other one may be the first to show that.
  const isOpening = report.kind === "evt" && report.message.type === "DOOR_OPENED";
  for (const { no, front, back } of isOpening ? [] : compartments) {
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
