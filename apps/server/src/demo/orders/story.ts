// Simulated history of one cabinet over the past months: connection, visits, doors and commands.
import {
  type Actor,
  DAY,
  type DemoCabinet,
  HOUR,
  MINUTE,
  SECOND,
  type Span,
} from "../fleet/cabinet.ts";
import { writeSensors } from "../fleet/sensor.ts";
import { Random } from "../random.ts";
import { disableReasons, faultReasons, restartReasons } from "../reasons.ts";
import { Chronicle } from "./chronicle.ts";
import { isConnected, type StoryContext } from "./scene.ts";
import { isStillIn } from "./visit.ts";
import { writeException, writeStays } from "./visit-story.ts";

const MAINTENANCE: Actor = 2;

/**
 * Each part has its own random seed, so that cutting off at the present does not change the past.
 */
export function writeStory(
  cabinet: DemoCabinet,
  life: Span,
  storeOutage: Span | null,
  seed: number,
  today: number,
): Chronicle {
  const { layout } = cabinet.model;
  const chronicle = new Chronicle(layout);
  const outages = drawOutages(life, storeOutage, new Random(seed));
  const freeFrom = new Map(layout.map(({ no }) => [no, life.from]));
  const context = { cabinet, life, outages, today, chronicle, freeFrom };
  writeLine(context);
  writeBlockedCells(context, new Random(seed + 1));
  writeStays(context, new Random(seed + 2));
  writeRestarts(context, new Random(seed + 3));
  const isHeard = (from: number, to: number) => isConnected(context, from, to);
  writeSensors(chronicle, life, isHeard, new Random(seed + 5));
  if (cabinet.lifecycle === "RETIRED") writeClearing(context);
  else {
    writeLongException(context, new Random(seed + 6));
    writeContradiction(context, new Random(seed + 4));
  }
  return chronicle;
}

function drawOutages({ from, to }: Span, storeOutage: Span | null, random: Random): Span[] {
  const isDuringLife = storeOutage && storeOutage.from > from && storeOutage.to < to;
  const outages = isDuringLife ? [storeOutage] : [];
  const everyDays = random.chance(0.1) ? 1 : 9;
  let at = from + DAY * random.next() * everyDays;
  while (at < to - DAY / 2) {
    const outage = { from: at, to: at + Math.round(random.skewed(7) * MINUTE) };
    if (outages.every((other) => outage.from > other.to || outage.to < other.from)) {
      outages.push(outage);
    }
    at = outage.to + HOUR + DAY * random.next() * everyDays * 2;
  }
  return outages.sort((one, other) => one.from - other.from);
}

/** Connection events: online, lost, back; and finally offline for cabinets that are offline now. */
function writeLine({ cabinet, life, outages, chronicle }: StoryContext): void {
  const lose = (at: number) =>
    chronicle.note(at + 90 * SECOND, "OFFLINE", {
      payload: { lastSeenAt: new Date(at).toISOString() },
    });
  chronicle.note(life.from, "ONLINE");
  for (const outage of outages) {
    lose(outage.from);
    chronicle.note(Math.max(outage.to, outage.from + 2 * MINUTE), "ONLINE");
  }
  lose(life.to);
  if (cabinet.isSimulated || cabinet.lifecycle !== "ACTIVE") return;
  chronicle.troubles.push({
    at: life.to + 90 * SECOND,
    kind: "OFFLINE",
    description: "设备离线，长时间未恢复连接",
    isOpen: true,
  });
}

/** A few cells were marked faulty or disabled, and still are. */
function writeBlockedCells(context: StoryContext, random: Random): void {
  const { cabinet, life, today, chronicle, freeFrom } = context;
  for (const { no } of cabinet.model.layout) {
    if (!random.chance(0.015)) continue;
    const share = random.next();
    const isFault = random.chance(0.65);
    // Faults are hours old, disabled cells days.
    const at = isFault
      ? life.to - 20 * MINUTE - share ** 3 * Math.min(30 * HOUR, (life.to - life.from) / 2)
      : Math.min(life.from + (today - life.from) * (0.5 + share / 2), life.to - HOUR);
    const { reason, kind: trouble } = isFault
      ? random.pick(faultReasons)
      : { reason: random.pick(disableReasons), kind: null };
    const actor = random.chance(0.5) ? 1 : MAINTENANCE;
    const kind = isFault ? "COMPARTMENT_FAULT" : "COMPARTMENT_DISABLED";
    chronicle.note(at, kind, { no, action: { actor, reason } });
    if (trouble) {
      chronicle.troubles.push({ at, kind: trouble, no, description: reason, isOpen: true });
    }
    Object.assign(chronicle.cell(no), {
      adminState: isFault ? "FAULT" : "DISABLED",
      adminReason: reason,
    });
    freeFrom.set(no, Number.POSITIVE_INFINITY);
  }
}

function writeRestarts(context: StoryContext, random: Random): void {
  const { life, chronicle } = context;
  for (let at = life.from + DAY * 15 * random.next(); at < life.to - HOUR; at += DAY * 20) {
    const isGiven = random.chance(0.5);
    const reason = random.pick(restartReasons);
    if (!isGiven || !isConnected(context, at, at + 5 * MINUTE)) continue;
    const actor = random.pick<Actor>([1, 2]);
    chronicle.command(random, { kind: "RESTART", state: "CONFIRMED", reason, actor, at });
    chronicle.note(at + 34 * SECOND, "BOOTED");
  }
}

/** Clears the remaining goods before a retired cabinet leaves. */
function writeClearing({ life, chronicle }: StoryContext): void {
  const action = { actor: MAINTENANCE, reason: "设备撤场，物品已交还用户" } as const;
  for (const [no, cell] of chronicle.cells) {
    if (cell.occupancy !== "OCCUPIED") continue;
    Object.assign(cell, { occupancy: "FREE", occupiedSince: null, item: "EMPTY" });
    const at = life.to - 5 * MINUTE;
    chronicle.note(at, "COMPARTMENT_CLEARED", { no, action });
    const visit = chronicle.visits.find((other) => other.no === no && isStillIn(other));
    if (visit) visit.cleared = { at, ...action };
  }
}

/** In a few cabinets, which do not depend on the time of day, the goods that are in longest are an exception. */
function writeLongException({ life, chronicle }: StoryContext, random: Random): void {
  if (!random.chance(0.1)) return;
  const longest = chronicle.visits.find((visit) => visit.deposit && isStillIn(visit));
  if (longest) writeException(random, longest, life.to, 1);
}

/** In a few cabinets the sensor of one cell contradicts the recorded occupancy. */
function writeContradiction({ cabinet, life, chronicle }: StoryContext, random: Random): void {
  const { no } = random.pick(cabinet.model.layout);
  const cell = chronicle.cell(no);
  if (!random.chance(0.09) || cell.adminState !== "ENABLED") return;
  cell.item = cell.item === "EMPTY" ? "PRESENT" : "EMPTY";
  const description = {
    EMPTY: "系统记录占用，传感器未检测到物品",
    PRESENT: "系统记录空闲，传感器检测到物品",
  }[cell.item];
  const trouble = { kind: "OCCUPANCY_ABNORMAL", no, description, isOpen: true } as const;
  const at = life.to - HOUR;
  chronicle.troubles.push({ at, ...trouble });
  const visit = chronicle.visits.find((other) => other.no === no && isStillIn(other));
  if (visit?.deposit && visit.deposit.closedAt < at) {
    visit.exception = { at: at + 5 * MINUTE, actor: 1, reason: description };
  }
}
