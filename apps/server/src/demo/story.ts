// The past weeks of one cabinet: its line, its visitors, its doors and the commands it was given.
import { DAY, type DemoCabinet, HOUR, MINUTE, SECOND, type Span } from "./cabinet.ts";
import { type Actor, Chronicle } from "./chronicle.ts";
import { Random } from "./random.ts";
import {
  disableReasons,
  faultReasons,
  inspectionReasons,
  openReasons,
  restartReasons,
} from "./reasons.ts";
import { tellSensors } from "./sensor.ts";

/** Visits by hour of the day: noon and evening. */
const busyHours = [
  0.2, 0.1, 0.1, 0.1, 0.1, 0.3, 0.8, 1.5, 2, 2, 2.5, 4, 4.5, 3, 2.5, 2.5, 3, 4, 5, 4.5, 3.5, 2.5,
  1.5, 0.6,
];
const VISITS_A_CELL_A_DAY = 0.3;
const LONGEST_STAY_HOURS = 96;
const MAINTENANCE: Actor = 2;

interface Scene {
  cabinet: DemoCabinet;
  life: Span;
  outages: Span[];
  today: number;
  chronicle: Chronicle;
  /** When each cell can be used next; Infinity while goods are in it or it is blocked. */
  freeFrom: Map<number, number>;
}

/** Each part has its own chance, so that what the present cuts short changes nothing before it. */
export function tellStory(
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
  const scene = { cabinet, life, outages, today, chronicle, freeFrom };
  tellLine(scene);
  tellBlockedCells(scene, new Random(seed + 1));
  tellVisits(scene, new Random(seed + 2));
  tellRestarts(scene, new Random(seed + 3));
  const isHeard = (from: number, to: number) => isConnected(scene, from, to);
  tellSensors(chronicle, life, isHeard, new Random(seed + 5));
  if (cabinet.lifecycle === "RETIRED") tellClearing(scene);
  else tellContradiction(scene, new Random(seed + 4));
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

/** Nothing is heard within a minute of an outage. */
function isConnected({ outages }: Scene, from: number, to: number): boolean {
  return outages.every((outage) => from > outage.to + MINUTE || to < outage.from - MINUTE);
}

/** Connected, lost, found again; and lost for good where it is offline now. */
function tellLine({ cabinet, life, outages, chronicle }: Scene): void {
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

/** A few cells were marked faulty or switched off, and are so still. */
function tellBlockedCells(scene: Scene, random: Random): void {
  const { cabinet, life, today, chronicle, freeFrom } = scene;
  for (const { no } of cabinet.model.layout) {
    if (!random.chance(0.015)) continue;
    const share = 0.5 + random.next() / 2;
    const at = Math.min(life.from + (today - life.from) * share, life.to - HOUR);
    const isFault = random.chance(0.65);
    const reason = random.pick(isFault ? faultReasons : disableReasons);
    const actor = random.chance(0.5) ? 1 : MAINTENANCE;
    const kind = isFault ? "COMPARTMENT_FAULT" : "COMPARTMENT_DISABLED";
    chronicle.note(at, kind, { no, deed: { actor, reason } });
    if (isFault) {
      chronicle.troubles.push({ at, kind: "OTHER", no, description: reason, isOpen: true });
    }
    Object.assign(chronicle.cell(no), {
      adminState: isFault ? "FAULT" : "DISABLED",
      adminReason: reason,
    });
    freeFrom.set(no, Number.POSITIVE_INFINITY);
  }
}

function tellVisits(scene: Scene, random: Random): void {
  const { cabinet, life, today } = scene;
  const { layout } = cabinet.model;
  const perDay = layout.length * VISITS_A_CELL_A_DAY * cabinet.demand;
  for (let day = today - 36 * DAY; day <= today; day += DAY) {
    const visits = Math.round(perDay * (0.7 + 0.6 * random.next()));
    const times = Array.from({ length: visits }, () => timeOfDay(day, random));
    for (const at of times.sort((one, other) => one - other)) {
      const { no } = random.pick(layout);
      const stay = Math.min(random.skewed(14), LONGEST_STAY_HOURS) * HOUR;
      const isInspection = random.chance(0.015);
      const isUsable = at > (scene.freeFrom.get(no) ?? 0) && at < life.to - 2 * MINUTE;
      if (!isUsable || !isConnected(scene, at, at + 2 * MINUTE)) continue;
      if (isInspection) tellInspection(scene, random, no, at);
      else tellVisit(scene, random, no, { from: at, to: at + stay });
    }
  }
}

function timeOfDay(day: number, random: Random): number {
  const hour = random.weighted(Object.fromEntries(busyHours.entries()));
  return day + Math.floor((Number(hour) + random.next()) * HOUR);
}

/** Goods are put in and taken out again, if that is not still to come. */
function tellVisit(scene: Scene, random: Random, no: number, { from, to }: Span): void {
  const { cabinet, life, chronicle, freeFrom } = scene;
  const side = cabinet.model.side === "DOUBLE" ? "BACK" : "FRONT";
  chronicle.door(random, { no, side, at: from, item: "PRESENT" });
  chronicle.report(from + 5 * SECOND, "ITEM_PLACED", { no, side, payload: { item: "PRESENT" } });
  let at = Math.max(Math.round(to), from + 30 * MINUTE);
  while (!isConnected(scene, at, at + 10 * MINUTE)) at += 5 * MINUTE;
  if (at > life.to - 30 * MINUTE) {
    const state = { occupancy: "OCCUPIED", occupiedSince: from, item: "PRESENT" };
    Object.assign(chronicle.cell(no), state);
    freeFrom.set(no, Number.POSITIVE_INFINITY);
    return;
  }
  const commandId = random.chance(0.025) ? openFromAfar(chronicle, random, no, at) : undefined;
  const door = { no, side: "FRONT", at, item: "EMPTY", ...(commandId && { commandId }) } as const;
  chronicle.report(at + 5 * SECOND, "ITEM_TAKEN", {
    no,
    side: "FRONT",
    payload: { item: "EMPTY" },
  });
  freeFrom.set(no, chronicle.door(random, door) + MINUTE);
}

/** Maintenance staff look into an empty cell. */
function tellInspection(scene: Scene, random: Random, no: number, at: number): void {
  const { chronicle, freeFrom } = scene;
  const commandId = chronicle.command(random, {
    kind: "OPEN",
    no,
    side: "FRONT",
    state: "CONFIRMED",
    reason: random.pick(inspectionReasons),
    actor: MAINTENANCE,
    at,
  });
  const door = { no, side: "FRONT", at, item: "EMPTY", commandId } as const;
  freeFrom.set(no, chronicle.door(random, door) + MINUTE);
}

/** Returns the command that opened the door at `at`; sometimes one before it had failed. */
function openFromAfar(chronicle: Chronicle, random: Random, no: number, at: number): string {
  const reason = random.pick(openReasons);
  const actor = random.pick<Actor>([0, 1, 1, 2, 2]);
  const command = { kind: "OPEN", no, side: "FRONT", reason, actor } as const;
  if (random.chance(0.12)) {
    const state = random.weighted({ NOT_CONFIRMED: 5, REJECTED: 2, UNKNOWN: 2, EXPIRED: 1 });
    const failedAt = at - 70 * SECOND;
    chronicle.command(random, { ...command, state, at: failedAt });
    if (state === "NOT_CONFIRMED") {
      const description = "开锁脉冲已发出，箱门未弹开";
      const trouble = { kind: "OPEN_FAILED", no, description, isOpen: false } as const;
      chronicle.troubles.push({ at: failedAt + 4 * SECOND, ...trouble });
    }
  }
  return chronicle.command(random, { ...command, state: "CONFIRMED", at });
}

function tellRestarts(scene: Scene, random: Random): void {
  const { life, chronicle } = scene;
  for (let at = life.from + DAY * 15 * random.next(); at < life.to - HOUR; at += DAY * 20) {
    const isGiven = random.chance(0.5);
    const reason = random.pick(restartReasons);
    if (!isGiven || !isConnected(scene, at, at + 5 * MINUTE)) continue;
    const actor = random.pick<Actor>([1, 2]);
    chronicle.command(random, { kind: "RESTART", state: "CONFIRMED", reason, actor, at });
    chronicle.note(at + 34 * SECOND, "BOOTED");
  }
}

/** What still lay in it was taken out before it left. */
function tellClearing({ life, chronicle }: Scene): void {
  const deed = { actor: MAINTENANCE, reason: "设备撤场，物品已交还用户" };
  for (const [no, cell] of chronicle.cells) {
    if (cell.occupancy !== "OCCUPIED") continue;
    Object.assign(cell, { occupancy: "FREE", occupiedSince: null, item: "EMPTY" });
    chronicle.note(life.to - 5 * MINUTE, "COMPARTMENT_CLEARED", { no, deed });
  }
}

/** In a few cabinets the sensor of one cell contradicts the books. */
function tellContradiction({ cabinet, life, chronicle }: Scene, random: Random): void {
  const { no } = random.pick(cabinet.model.layout);
  const cell = chronicle.cell(no);
  if (!random.chance(0.09) || cell.adminState !== "ENABLED") return;
  cell.item = cell.item === "EMPTY" ? "PRESENT" : "EMPTY";
  const description =
    cell.item === "EMPTY" ? "系统记录占用，传感器未检测到物品" : "系统记录空闲，传感器检测到物品";
  const trouble = { kind: "OCCUPANCY_ABNORMAL", no, description, isOpen: true } as const;
  chronicle.troubles.push({ at: life.to - HOUR, ...trouble });
}
