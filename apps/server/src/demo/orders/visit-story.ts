// Visits to a demo cabinet: goods stored and taken, given up or cleared; inspections.
import type { LayoutCell } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import { doorSideFor } from "@cabinet/contract/orders/order/order.rules.ts";
import { type Actor, DAY, HOUR, MINUTE, SECOND, type Span } from "../fleet/cabinet.ts";
import { HISTORY_DAYS } from "../period.ts";
import { Random } from "../random.ts";
import { clearReasons, exceptionReasons, inspectionReasons, openReasons } from "../reasons.ts";
import { isConnected, type StoryContext } from "./scene.ts";
import type { DemoVisit } from "./visit.ts";

/** Relative number of visits per hour of the day: peaks at noon and in the evening. */
const busyHours = [
  0.2, 0.1, 0.1, 0.1, 0.1, 0.3, 0.8, 1.5, 2, 2, 2.5, 4, 4.5, 3, 2.5, 2.5, 3, 4, 5, 4.5, 3.5, 2.5,
  1.5, 0.6,
];
const VISITS_A_CELL_A_DAY = 0.06;
const MEDIAN_STAY_HOURS = 9;
const LONGEST_STAY_HOURS = 96;
/** Visits per cell relative to the smallest size: people need large cells more often than makers build them. */
const sizeDemand = { S: 1, M: 2, L: 6, XL: 8 };
/** Visits on the first day of the history, as a share of those after the first month. */
const FIRST_SHARE = 0.55;
const RISE_DAYS = 30;
/** Cabinets report the goods apart from the door since an upgrade so many days ago. */
const ITEM_REPORT_DAYS = 14;
/** Deposit time limit, after which a visit is cancelled. */
const DEPOSIT_MS = 10 * MINUTE;
const MAINTENANCE: Actor = 2;

export function writeStays(context: StoryContext, random: Random): void {
  const { cabinet, life, today } = context;
  const { layout } = cabinet.model;
  const weights = weightsOf(layout);
  // A cabinet that leaves is cleared in its last minutes.
  const lastAt = life.to - (cabinet.lifecycle === "RETIRED" ? HOUR : 2 * MINUTE);
  for (let daysAgo = HISTORY_DAYS; daysAgo >= 0; daysAgo--) {
    const day = today - daysAgo * DAY;
    const share = shareOf(daysAgo, cabinet.trend);
    const perDay = layout.length * VISITS_A_CELL_A_DAY * cabinet.demand * share;
    const visits = Math.round(perDay * (0.7 + 0.6 * random.next()));
    const times = Array.from({ length: visits }, () => timeOfDay(day, random));
    for (const at of times.sort((one, other) => one - other)) {
      const size = random.weighted(weights);
      const cells = layout.filter((each) => each.size === size);
      const free = cells.filter(({ no }) => at > (context.freeFrom.get(no) ?? 0));
      const cell = random.pick(free.length > 0 ? free : cells);
      const stay = Math.min(random.skewed(MEDIAN_STAY_HOURS), LONGEST_STAY_HOURS) * HOUR;
      const isInspection = random.chance(0.015);
      const lot = new Random(Math.floor(at / SECOND) * 64 + cell.no);
      // Somebody who finds no free cell goes away.
      const isUsable = free.length > 0 && at < lastAt;
      if (!isUsable || !isConnected(context, at - MINUTE, at + 2 * MINUTE)) continue;
      if (isInspection) writeInspection(context, lot, cell.no, at);
      else writeStay(context, lot, cell, { from: at, to: at + stay });
    }
  }
}

function weightsOf(layout: readonly LayoutCell[]): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const { size } of layout) weights[size] = (weights[size] ?? 0) + sizeDemand[size];
  return weights;
}

/** Visits of a past day as a share of those thirty days ago. */
function shareOf(daysAgo: number, trend: number): number {
  const rise = Math.min(1, (HISTORY_DAYS - daysAgo) / RISE_DAYS);
  const change = trend * Math.max(-1, 1 - daysAgo / 30);
  return (1 + change) * (FIRST_SHARE + (1 - FIRST_SHARE) * rise);
}

function timeOfDay(day: number, random: Random): number {
  const hour = random.weighted(Object.fromEntries(busyHours.entries()));
  return day + Math.floor((Number(hour) + random.next()) * HOUR);
}

function writeStay(context: StoryContext, lot: Random, { no, size }: LayoutCell, span: Span): void {
  const { chronicle } = context;
  const visit: DemoVisit = {
    no,
    size,
    seed: lot.int(0, 2 ** 31),
    createdAt: span.from - lot.int(4, 25) * SECOND,
    deposit: null,
    failures: [],
    helper: null,
    taking: null,
    cancelled: null,
    cleared: null,
    exception: null,
  };
  const fate = lot.weighted({ STAYS: 938, TAKEN_BACK: 22, GIVEN_UP: 40 });
  if (fate === "GIVEN_UP") {
    writeGivenUp(context, lot, visit, span.from);
    return;
  }
  chronicle.visits.push(visit);
  const side = doorSideFor(context.cabinet.model.side, "DEPOSIT");
  const placedAt = span.from + 5 * SECOND;
  visit.deposit = chronicle.opening(lot, { no, side, at: span.from, item: "PRESENT" });
  if (reportsItems(context, placedAt)) {
    chronicle.report(placedAt, "ITEM_PLACED", { no, side, payload: { item: "PRESENT" } });
  }
  const isTakenBack = fate === "TAKEN_BACK";
  const wanted = isTakenBack ? span.from + lot.int(12, 150) * MINUTE : span.to;
  let at = Math.max(Math.round(wanted), visit.deposit.closedAt + 8 * MINUTE);
  while (!isConnected(context, at - 2 * MINUTE, at + 10 * MINUTE)) at += 5 * MINUTE;
  const isOut = at <= context.life.to - 30 * MINUTE;
  writeException(lot, visit, isOut ? at : context.life.to, 0.006);
  if (isOut) writeTaking(context, lot, visit, at, isTakenBack);
  else writeStillIn(context, visit);
}

function reportsItems({ today }: StoryContext, at: number): boolean {
  return at > today - ITEM_REPORT_DAYS * DAY;
}

/** The door stayed shut, or nothing was put in. */
function writeGivenUp(context: StoryContext, lot: Random, visit: DemoVisit, at: number): void {
  const { chronicle, freeFrom, cabinet, life } = context;
  if (at > life.to - 20 * MINUTE) return;
  const { no } = visit;
  const side = doorSideFor(cabinet.model.side, "DEPOSIT");
  if (lot.chance(0.6)) visit.deposit = chronicle.opening(lot, { no, side, at, item: "EMPTY" });
  const since = visit.deposit?.closedAt ?? at;
  const isTimeOut = lot.chance(0.45);
  const cancelledAt = isTimeOut
    ? Math.max(visit.createdAt + DEPOSIT_MS, since + SECOND)
    : since + lot.int(15, 90) * SECOND;
  if (cancelledAt > life.to) return;
  visit.cancelled = { at: cancelledAt, isTimeOut };
  chronicle.visits.push(visit);
  freeFrom.set(no, cancelledAt + MINUTE);
}

/** Marks goods that are stored for three hours or more as an exception, by chance. */
export function writeException(lot: Random, visit: DemoVisit, until: number, chance: number): void {
  const since = visit.deposit?.closedAt ?? 0;
  const share = 0.3 + 0.6 * lot.next();
  const reason = lot.pick(exceptionReasons);
  if (!lot.chance(chance) || until - since < 3 * HOUR) return;
  const at = Math.round(since + (until - since) * share);
  visit.exception = { at, actor: 1, reason };
}

function writeStillIn({ chronicle, freeFrom }: StoryContext, { no, deposit }: DemoVisit): void {
  const occupiedSince = deposit?.closedAt ?? null;
  Object.assign(chronicle.cell(no), { occupancy: "OCCUPIED", occupiedSince, item: "PRESENT" });
  freeFrom.set(no, Number.POSITIVE_INFINITY);
}

function writeTaking(
  context: StoryContext,
  lot: Random,
  visit: DemoVisit,
  at: number,
  isTakenBack: boolean,
): void {
  const { chronicle, freeFrom, cabinet } = context;
  const { no } = visit;
  const purpose = isTakenBack ? "TAKE_BACK" : "PICKUP";
  const side = doorSideFor(cabinet.model.side, purpose);
  const stayed = at - (visit.deposit?.closedAt ?? at);
  const isHelped = lot.chance(0.025);
  const action = { at, actor: lot.pick<Actor>([0, 1, 1, 2, 2]), reason: lot.pick(openReasons) };
  const door = { no, side, at, item: "EMPTY" } as const;
  if (stayed > 72 * HOUR && lot.chance(0.3)) {
    const cleared = { at: 0, actor: MAINTENANCE, reason: lot.pick(clearReasons) };
    const { closedAt } = chronicle.opening(lot, { ...door, ...cleared, at });
    cleared.at = closedAt + lot.int(20, 60) * SECOND;
    chronicle.note(cleared.at, "COMPARTMENT_CLEARED", { no, action: cleared });
    visit.cleared = cleared;
    freeFrom.set(no, cleared.at + MINUTE);
    return;
  }
  if (lot.chance(isHelped ? 0.12 : 0.008))
    writeFailure(context, lot, visit, purpose, isHelped, action);
  if (isHelped) visit.helper = action;
  visit.taking = { ...chronicle.opening(lot, { ...door, ...(isHelped && action), at }), purpose };
  if (reportsItems(context, at)) {
    chronicle.report(at + 5 * SECOND, "ITEM_TAKEN", { no, side, payload: { item: "EMPTY" } });
  }
  freeFrom.set(no, visit.taking.closedAt + MINUTE);
}

/** The door did not open at the first attempt. */
function writeFailure(
  { chronicle, cabinet }: StoryContext,
  lot: Random,
  visit: DemoVisit,
  purpose: "PICKUP" | "TAKE_BACK",
  isHelped: boolean,
  action: { at: number; actor: Actor; reason: string },
): void {
  const { no } = visit;
  const states = { NOT_CONFIRMED: 5, REJECTED: 2, UNKNOWN: isHelped ? 2 : 0, EXPIRED: 1 };
  const state = lot.weighted(states);
  const at = action.at - 70 * SECOND;
  const by = isHelped
    ? { actor: action.actor, reason: action.reason }
    : { actor: null, reason: "" };
  const side = doorSideFor(cabinet.model.side, purpose);
  const command = chronicle.command(lot, { kind: "OPEN", no, side, state, at, ...by });
  const settledAt = at + command.settled;
  const { id: commandId } = command;
  visit.failures.push({ commandId, askedAt: at, settledAt, state, purpose, actor: by.actor });
  if (state === "NOT_CONFIRMED") {
    const description = "开锁脉冲已发出，箱门未弹开";
    const trouble = { kind: "OPEN_FAILED", no, description, isOpen: false } as const;
    chronicle.troubles.push({ at: at + 4 * SECOND, ...trouble });
  }
}

/** Maintenance staff open an empty cell for inspection. */
function writeInspection(
  { chronicle, freeFrom }: StoryContext,
  lot: Random,
  no: number,
  at: number,
): void {
  const by = { actor: MAINTENANCE, reason: lot.pick(inspectionReasons) };
  const door = { no, side: "FRONT", at, item: "EMPTY", ...by } as const;
  freeFrom.set(no, chronicle.opening(lot, door).closedAt + MINUTE);
}
