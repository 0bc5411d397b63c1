// Births: the session that one begins, the cabinet's starts, and the snapshots that prove something.
import type { EventKind } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import {
  type Birth,
  type SealedMessage,
  type StateReport,
  sealDown,
  UNKNOWN_APP_VERSION,
} from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import { useChallenge } from "../gate/challenge.sql.ts";
import { markSecretUsed } from "../gate/secret.sql.ts";
import { overtakeConfigVersion } from "../rows/desired-config.sql.ts";
import { heardAgain, judgeBirth, lineOf } from "./cabinet-run.rules.ts";
import {
  brokenCounter,
  countedAnew,
  numbersAfterBirth,
  plausibleTime,
} from "./plausibility.rules.ts";
import type { LockedCabinet } from "./report.sql.ts";
import { logJump } from "./report-border.flow.ts";
import type { ReportChanges, ReportingCabinet, ReportOrder } from "./report-changes.flow.ts";
import type { ReportContext, ReportOf } from "./report-context.flow.ts";
import { isNewer } from "./report-track.rules.ts";

const IDENTITY_SHARED = "IDENTITY_SHARED" satisfies EventKind;
/** Named once in this time, however often the two take over from each other. */
const SHARED_EVERY_MS = 10 * 60_000;

/** A birth ends the session; the last part of the newest one begins the next, with a new epoch. */
export async function applyBirth(
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
  if (entries.length > 0 && isPlaced) {
    await commands.acknowledge(db, cabinet, entries, lineOf(cabinet.run).epoch);
  }
  if (!isOfConnection) {
    // A broker without our authentication hook let it in; the signed birth is then the proof for the nonce.
    if (!(await useChallenge(db, birth.nonce))) return [];
    cabinet.connectionNonce = birth.nonce;
    cabinet.connectionKid = kid;
    await markSecretUsed(db, cabinet, kid);
  }
  const isFirst = birth.nonce !== cabinet.birthNonce;
  const { commandSeq } = numbersAfterBirth(birth.lastSeq, cabinet);
  const isContinued = !broken && trackRun(cabinet, birth, { now, isFirst }, changes);
  const known = { bootNo: cabinet.bootNo, n: cabinet.lastN };
  const shown = { bootNo: cabinet.bootBase + birth.bootNo, n: birth.n - birth.part + 1 };
  // Counted above all known starts: an older number, or one that another cabinet may have used.
  if (!isContinued || (isFirst && !isNewer(shown, known))) {
    Object.assign(cabinet, countedAnew(birth, cabinet), { missing: [] });
  }
  if (broken) logJump(identity, broken, birth[broken], cabinetLog);
  if (!isContinued && cabinet.run) {
    const { bootNo, epoch } = cabinet;
    const line = { bootNo: bootNo ?? 0, epoch: epoch + 1, seq: commandSeq, atMs: now };
    cabinet.run = { ...cabinet.run, line };
  }
  const order = { bootNo: cabinet.bootBase + birth.bootNo, n: birth.n };
  const stored = { bootNo: cabinet.birthBootNo, n: cabinet.birthN };
  if (!isFirst && !isNewer(order, stored)) return [];
  if (stored.bootNo !== null && order.bootNo > stored.bootNo) {
    const deviceAt = plausibleTime(birth.at, now);
    changes.note(cabinet, { kind: "BOOTED", order, deviceAt });
  }
  Object.assign(cabinet, {
    isGreeted: false,
    birthNonce: birth.nonce,
    birthBootNo: order.bootNo,
    birthN: order.n,
    appVersion: knownVersion(birth) ?? cabinet.appVersion,
  });
  if (birth.part < birth.parts) return [];
  Object.assign(cabinet, { isGreeted: true, gatewayId, epoch: cabinet.epoch + 1 });
  // Commands of earlier epochs are no longer executed: this snapshot is later than all of them.
  noteSnapshot(cabinet, birth, order, new Date(now).toISOString());
  // One that is due later is about a lock that may still open.
  if (cabinet.resyncDueAt && Date.parse(cabinet.resyncDueAt) <= now) cabinet.resyncDueAt = null;
  if (cabinet.lifecycle === "INACTIVE") {
    // First contact puts the cabinet in service: nobody has to activate it by hand.
    cabinet.lifecycle = "ACTIVE";
    changes.note(cabinet, { kind: "ACTIVATED" });
  }
  const { lastSeq } = birth;
  const { isMemoryLost, isFarAhead, ...numbers } = numbersAfterBirth(lastSeq, cabinet);
  const { epoch } = cabinet;
  const lineEpoch = lineOf(cabinet.run).epoch;
  const knowsNothing = isMemoryLost || lineEpoch === epoch;
  await commands.settleEarlier(db, cabinet, {
    ...{ epoch, lastSeq, lineEpoch, isMemoryLost: knowsNothing },
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
  const request = { epoch, version: desiredConfigVersion, values: desiredConfig };
  const config = { ...request, ...(isPlaylistNew && { playlist }) };
  return [hello, sealDown(keys, identity.sn, "cfg", config)];
}

/** Null if the birth names no version that could be read. */
function knownVersion({ appVersion }: Birth): string | null {
  return appVersion === UNKNOWN_APP_VERSION ? null : appVersion;
}

/**
 * Follows the cabinet's starts; notes when two of them must be those of two cabinets. False if this one need not be that of
 * the cabinet that was heard before.
 */
function trackRun(
  cabinet: ReportingCabinet,
  { bootNo, n, mono, lastSeq }: Birth,
  { now, isFirst }: { now: number; isFirst: boolean },
  changes: ReportChanges,
): boolean {
  const birth = { bootNo, n, mono, atMs: now };
  if (!isFirst) {
    cabinet.run = heardAgain(cabinet.run, birth);
    return true;
  }
  const { run, isShared, isContinued } = judgeBirth(cabinet.run, { ...birth, lastSeq }, cabinet);
  cabinet.run = run;
  const namedMs = cabinet.identitySharedAt ? Date.parse(cabinet.identitySharedAt) : 0;
  if (isShared && now - namedMs >= SHARED_EVERY_MS) {
    cabinet.identitySharedAt = new Date(now).toISOString();
    changes.note(cabinet, { kind: IDENTITY_SHARED });
  }
  return isContinued;
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
export function noteResynced(
  cabinet: ReportingCabinet,
  state: StateReport,
  order: ReportOrder,
): void {
  const { resyncId, resyncAt, resyncDueAt } = cabinet;
  if (!state.full || !resyncAt || state.cmdId !== resyncId) return;
  noteSnapshot(cabinet, state, order, resyncAt);
  if (resyncDueAt && Date.parse(resyncAt) >= Date.parse(resyncDueAt)) cabinet.resyncDueAt = null;
}

/** Puts the desired version above one that the cabinet has and we never gave; true if it had to. */
export async function overtakeConfig(
  db: Db,
  locked: LockedCabinet,
  reported: number,
): Promise<boolean> {
  if (reported <= locked.desiredConfigVersion) return false;
  locked.desiredConfigVersion = reported + 1;
  await overtakeConfigVersion(db, locked.cabinet, reported);
  return true;
}
