// Conditions and texts of the doors in a drawn cabinet.
import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import {
  isContradictory,
  type UnavailableReason,
  unavailableText,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import {
  doorSideText,
  doorStateText,
  occupancyText,
  sizeText,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { type Door, doorsOf } from "../../../domain/cabinet/open-door.rules.ts";

export const CONDITIONS = [
  "AVAILABLE",
  "OCCUPIED",
  "RESERVED",
  "DISABLED",
  "FAULT",
  "CONTRADICTORY",
  "DOOR_OPEN",
  "NO_NEW_ORDERS",
  "OFFLINE",
] as const satisfies ("AVAILABLE" | UnavailableReason)[];
export type Condition = (typeof CONDITIONS)[number];

export const conditionText: Record<Condition, string> = {
  AVAILABLE: "可用",
  OCCUPIED: "占用",
  RESERVED: "预约",
  DISABLED: "停用",
  FAULT: "故障",
  CONTRADICTORY: "异常",
  DOOR_OPEN: "门未关",
  NO_NEW_ORDERS: "不接单",
  OFFLINE: "离线",
};

/** Conditions of the whole cabinet, which apply to every otherwise available compartment. */
export const CABINET_CONDITIONS: readonly Condition[] = ["NO_NEW_ORDERS", "OFFLINE"];

/** All conditions that apply to a compartment, most urgent first; the drawing shows the first. */
export function conditionsOf(cell: Compartment): [Condition, ...Condition[]] {
  const reasons: Condition[] = [];
  if (cell.adminState !== "ENABLED") reasons.push(cell.adminState);
  if (isContradictory(cell)) reasons.push("CONTRADICTORY");
  if (doorsOf(cell).some((door) => door.state === "OPEN")) reasons.push("DOOR_OPEN");
  if (cell.occupancy !== "FREE") reasons.push(cell.occupancy);
  const { unavailableReason: last } = cell;
  if (last === "NO_NEW_ORDERS" || last === "OFFLINE") reasons.push(last);
  const [first = "AVAILABLE", ...rest] = reasons;
  return [first, ...rest];
}

/** True if a person must come on site; the other conditions end by themselves. */
export function needsHand(cell: Compartment): boolean {
  const restful: Condition[] = [
    ...(["AVAILABLE", "OCCUPIED", "RESERVED"] as const),
    ...CABINET_CONDITIONS,
  ];
  return !restful.includes(conditionsOf(cell)[0]);
}

/** Number of compartments for each condition; a compartment may count several times. */
export function countConditions(cells: readonly Compartment[]): Record<Condition, number> {
  const counts = Object.fromEntries(CONDITIONS.map((condition) => [condition, 0])) as Record<
    Condition,
    number
  >;
  for (const cell of cells) for (const condition of conditionsOf(cell)) counts[condition]++;
  return counts;
}

/** Formats as `门已关` or `正面门已关，背面门已开`. */
export function doorsText(cell: Compartment): string {
  const doors = doorsOf(cell);
  const name = ({ side }: Door) => (doors.length > 1 ? `${doorSideText[side]}门` : "门");
  return doors
    .map(
      (door) =>
        `${name(door)}${door.state === "UNKNOWN" ? "状态" : ""}${doorStateText[door.state]}`,
    )
    .join("，");
}

/** Formats as `12 号格口，中，空闲，门已关`, then the dwell time and why it takes no new order. */
export function cellLabel(cell: Compartment, dwell: string | null): string {
  const reason = cell.unavailableReason && unavailableText[cell.unavailableReason];
  return [
    `${cell.no} 号格口`,
    sizeText[cell.size],
    occupancyText[cell.occupancy],
    doorsText(cell),
    ...(dwell ? [`已 ${dwell}`] : []),
    ...(reason ? [`不可用：${reason.why}，${reason.mend}`] : []),
  ].join("，");
}

/** Text on a door that replaces the remedy. */
export interface Mark {
  text: string;
  tone: "done" | "differs" | "skipped";
}
