// Opens and recovers malfunctions from cabinet signals: stored with the reports, evaluated shortly
// afterwards.
import { severityOfKind } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { isOutage } from "../../../platform/db/postgres-client.ts";
import { startTurns } from "../../../platform/jobs/turns.ts";
import type { Log } from "../../../platform/log.ts";
import type { OpeningReports } from "../../fleet/command/index.ts";
import type { ConditionReport, ConditionReports } from "../../link/device/index.ts";
import { announce, recover, report } from "./malfunction.service.ts";
import { isEventSignal, judgeSignal, overText, signalText } from "./signal.rules.ts";
import {
  countIgnored,
  type DueSignal,
  deferSignal,
  type LockedSignal,
  lockDueSignals,
  recoveryOf,
  type SettledSignal,
  type SignalKey,
  type SignalNews,
  saveSignals,
  settleSignals,
} from "./signal.sql.ts";

const keyOf = ({ tenantId, cabinetId, kind, compartmentNo }: SignalKey) =>
  `${tenantId} ${cabinetId} ${kind} ${compartmentNo}`;

/**
 * Collects the conditions among cabinet events; reports of one condition in a batch are folded into
 * one.
 */
export const conditionReports: ConditionReports = {
  isWatched: isEventSignal,
  reported: (db, reports) => saveSignals(db, foldReports(reports)),
};

/** Folds by compartment for doors, and by cabinet for all other conditions. */
function foldReports(reports: readonly ConditionReport[]): SignalNews[] {
  const folded = new Map<string, SignalNews>();
  for (const { kind, isActive, compartmentNo, value, ...at } of reports) {
    if (!isEventSignal(kind)) continue;
    const key = { ...at, kind, compartmentNo: compartmentNo ?? 0 };
    const before = folded.get(keyOf(key));
    const begins = (before?.begins ?? 0) + (isActive ? 1 : 0);
    folded.set(keyOf(key), { ...key, isActive, begins, value: value ?? before?.value ?? null });
  }
  return [...folded.values()];
}

const FAILED = ["FAILED", "NOT_CONFIRMED"];

/**
 * Signals from opening results: failures in a row are a malfunction, an opening that works ends it.
 */
export const openingReports: OpeningReports = {
  async settled(db, openings) {
    const news = openings.flatMap(({ tenantId, cabinetId, no, state }): SignalNews[] => {
      const isFailed = FAILED.includes(state);
      if (no === null || (!isFailed && state !== "CONFIRMED")) return [];
      const at = { tenantId, cabinetId, kind: "OPEN_FAILED" as const, compartmentNo: no };
      const begins = isFailed ? 1 : 0;
      return [{ ...at, isActive: isFailed, begins, value: null, bootNo: null, n: null }];
    });
    for (const turn of turnsOf(news)) await saveSignals(db, turn);
  },
};

/** A journal may hold several openings of one lock: each is saved in its own round, in order. */
function turnsOf(news: readonly SignalNews[]): SignalNews[][] {
  const turns: SignalNews[][] = [];
  const met = new Map<string, number>();
  for (const each of news) {
    const turn = met.get(keyOf(each)) ?? 0;
    met.set(keyOf(each), turn + 1);
    turns[turn] = [...(turns[turn] ?? []), each];
  }
  return turns;
}

const goneText = "设备不再运营";
/** Batch size per transaction. */
const AT_ONCE = 200;

/** Evaluates due signals; returns how many. */
async function followSignals(db: Db, due: readonly LockedSignal[]): Promise<number> {
  if (due.length === 0) return 0;
  const judged = due.map((signal) => ({ signal, step: judgeSignal(signal, signal.nowMs) }));
  const of = (what: string) =>
    judged.filter(({ step }) => step.do === what).map((each) => each.signal);
  await count(db, of("COUNT"));
  const ended = of("END");
  for (const [text, signals] of Map.groupBy(ended, ({ isGone, kind }) =>
    isGone ? goneText : overText[kind],
  )) {
    await recover(db, recoveryOf(signals, text));
  }
  await settleSignals(
    db,
    judged.map(({ signal, step: { do: done, ...rest } }): SettledSignal => {
      const { tenantId, cabinetId, kind, compartmentNo } = signal;
      const key = { tenantId, cabinetId, kind, compartmentNo };
      return { ...key, ...rest, isCounted: done !== "NOTHING" };
    }),
  );
  return due.length;
}

/** After a batch that failed: each signal alone, so that one that cannot be judged waits and stops no other. */
async function followEach({ database, log }: Parts): Promise<void> {
  for (let done = 0; done < AT_ONCE; done++) {
    const locked: LockedSignal[] = [];
    try {
      await database.transaction("platform", async (db) => {
        locked.push(...(await lockDueSignals(db, 1)));
        await followSignals(db, locked);
      });
      if (locked.length === 0) return;
    } catch (error) {
      const [signal] = locked;
      if (!signal || isOutage(error)) throw error;
      const { tenantId, cabinetId, kind, compartmentNo } = signal;
      log.error(
        { err: error, tenantId, cabinetId, kind, compartmentNo },
        "a signal of a malfunction cannot be judged",
      );
      await deferSignal(database, signal);
    }
  }
}

async function count(db: Db, signals: readonly DueSignal[]): Promise<void> {
  if (signals.length === 0) return;
  const counts = signals.map((signal) => {
    const { isReported, pending, begins } = signal;
    // Occurrences before the window do not count.
    return { ...signal, count: Math.max(1, isReported ? pending : Math.min(pending, begins)) };
  });
  const ignored = await countIgnored(db, counts);
  await announce(db, ignored);
  const isIgnored = new Set(ignored.map(keyOf));
  await report(
    db,
    counts
      .filter((signal) => !isIgnored.has(keyOf(signal)))
      .map((signal) => ({
        tenantId: signal.tenantId,
        cabinetId: signal.cabinetId,
        storeId: null,
        compartmentNo: signal.compartmentNo === 0 ? null : signal.compartmentNo,
        kind: signal.kind,
        severity: severityOfKind[signal.kind],
        source: "DEVICE",
        description: signalText(signal, signal.value),
        reporterName: "",
        count: signal.count,
      })),
  );
}

const FOLLOW_EVERY_MS = 1_000;

interface Parts {
  database: Database;
  log: Log;
}

/** Runs in every process; SKIP LOCKED keeps them from evaluating the same signal twice. */
export function startFollowing(parts: Parts) {
  const batch = async (db: Db) => followSignals(db, await lockDueSignals(db, AT_ONCE));
  const follow = async () => {
    try {
      while ((await parts.database.transaction("platform", batch)) === AT_ONCE);
    } catch (error) {
      if (isOutage(error)) throw error;
      await followEach(parts);
    }
  };
  return startTurns(parts.log, FOLLOW_EVERY_MS, follow);
}
