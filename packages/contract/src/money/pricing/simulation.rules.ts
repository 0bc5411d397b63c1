// Replays past stays under another pricing rule and compares the prices line by line.
import { isOverdue, type PricingRule, priceOf } from "./pricing.rules.ts";
import { type PriceLineKind, stayLines } from "./stay-lines.rules.ts";

/** Charged stay: its length, rule and price. */
export interface PastStay {
  minutes: number;
  rule: PricingRule;
  priceFen: number;
}

export interface Comparison {
  orders: number;
  oldFen: number;
  newFen: number;
}

export const noOrders: Comparison = { orders: 0, oldFen: 0, newFen: 0 };

/** Adds one stay in place: no allocation per stay in sums over 100,000 of them. */
export function addTo(sum: Comparison, oldFen: number, newFen: number): void {
  sum.orders++;
  sum.oldFen += oldFen;
  sum.newFen += newFen;
}

/** Lines that make up a price, in order; FREE counts stays, the others are fen. */
export const COMPARED_LINES = [
  "PER_USE",
  "TIME",
  "CAP",
  "OTHER",
] as const satisfies PriceLineKind[];
export type ComparedLine = (typeof COMPARED_LINES)[number];

/** Upper limits in minutes, inclusive; null: any longer stay. */
export const STAY_LENGTHS = [30, 120, 360, 720, 1_440, 2_880, null] as const;

/** Index in `STAY_LENGTHS` for a stay of so many minutes. */
function lengthIndex(minutes: number): number {
  const found = STAY_LENGTHS.findIndex((most) => most !== null && minutes <= most);
  return found < 0 ? STAY_LENGTHS.length - 1 : found;
}

export interface Simulation extends Comparison {
  cheaper: number;
  dearer: number;
  oldFree: number;
  newFree: number;
  oldOverdue: number;
  newOverdue: number;
  /** In the order of `COMPARED_LINES`. */
  lines: { oldFen: number; newFen: number }[];
  /** In the order of `STAY_LENGTHS`. */
  lengths: Comparison[];
}

export function newSimulation(): Simulation {
  return {
    ...noOrders,
    ...{ cheaper: 0, dearer: 0, oldFree: 0, newFree: 0, oldOverdue: 0, newOverdue: 0 },
    lines: COMPARED_LINES.map(() => ({ oldFen: 0, newFen: 0 })),
    lengths: STAY_LENGTHS.map(() => ({ ...noOrders })),
  };
}

/** Adds one stay under the new rule; returns its new price in fen. */
export function replay(simulation: Simulation, stay: PastStay, rule: PricingRule): number {
  const { minutes, priceFen } = stay;
  const newFen = priceOf(rule, minutes);
  addTo(simulation, priceFen, newFen);
  addTo(simulation.lengths[lengthIndex(minutes)] as Comparison, priceFen, newFen);
  if (newFen < priceFen) simulation.cheaper++;
  if (newFen > priceFen) simulation.dearer++;
  if (priceFen === 0) simulation.oldFree++;
  if (newFen === 0) simulation.newFree++;
  if (isOverdue(stay.rule, minutes)) simulation.oldOverdue++;
  if (isOverdue(rule, minutes)) simulation.newOverdue++;
  addLines(simulation, "oldFen", stayLines(stay.rule, minutes, priceFen));
  addLines(simulation, "newFen", stayLines(rule, minutes, newFen));
  return newFen;
}

function addLines(
  { lines }: Simulation,
  which: "oldFen" | "newFen",
  found: readonly { kind: PriceLineKind; fen: number }[],
): void {
  for (const { kind, fen } of found) {
    const sum = lines[COMPARED_LINES.indexOf(kind as ComparedLine)];
    if (sum) sum[which] += fen;
  }
}
