// What each door of the drawn cabinet says.
import type { Compartment } from "@cabinet/contract/compartment/compartment.contract.ts";
import {
  type DoorSide,
  type DoorState,
  doorSideText,
  doorStateText,
  isContradictory,
  occupancyText,
  sizeText,
  type UnavailableReason,
  unavailableText,
} from "@cabinet/contract/compartment/compartment.rules.ts";

export const CONDITIONS = [
  "AVAILABLE",
  "OCCUPIED",
  "RESERVED",
  "DISABLED",
  "FAULT",
  "CONTRADICTORY",
  "DOOR_OPEN",
  "NO_NEW_ORDERS",
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
};

/** All that holds of a compartment, the most pressing first; it is drawn as the first one. */
export function conditionsOf(cell: Compartment): [Condition, ...Condition[]] {
  const reasons: Condition[] = [];
  if (cell.adminState !== "ENABLED") reasons.push(cell.adminState);
  if (isContradictory(cell)) reasons.push("CONTRADICTORY");
  if (doorsOf(cell).some((door) => door.state === "OPEN")) reasons.push("DOOR_OPEN");
  if (cell.occupancy !== "FREE") reasons.push(cell.occupancy);
  if (cell.unavailableReason === "NO_NEW_ORDERS") reasons.push("NO_NEW_ORDERS");
  const [first = "AVAILABLE", ...rest] = reasons;
  return [first, ...rest];
}

/** What a person has to see to; the other reasons pass by themselves. */
export function needsHand(cell: Compartment): boolean {
  const restful: Condition[] = ["AVAILABLE", "OCCUPIED", "RESERVED", "NO_NEW_ORDERS"];
  return !restful.includes(conditionsOf(cell)[0]);
}

/** How many compartments each condition holds of: one compartment may count several times. */
export function countConditions(cells: readonly Compartment[]): Record<Condition, number> {
  const counts = Object.fromEntries(CONDITIONS.map((condition) => [condition, 0])) as Record<
    Condition,
    number
  >;
  for (const cell of cells) for (const condition of conditionsOf(cell)) counts[condition]++;
  return counts;
}

export interface Door {
  side: DoorSide;
  state: DoorState;
}

/** One door, or on a double-sided cabinet the front and the back one. */
export function doorsOf({ doorFront, doorBack }: Compartment): Door[] {
  const front: Door = { side: "FRONT", state: doorFront };
  return doorBack === null ? [front] : [front, { side: "BACK", state: doorBack }];
}

/** `门已关`; `正面门已关，背面门已开` */
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

/** `12 号格口，中，空闲，门已关`, then how long, and why it takes no new thing. */
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

/** `不足1分钟`, `12分钟`, `3小时5分`, `2天3小时`, from ten days on `12天`. */
export function dwellText(since: string | null, now: number): string | null {
  if (since === null) return null;
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes < 1) return "不足1分钟";
  if (hours < 1) return `${minutes}分钟`;
  if (days < 1) return minutes % 60 ? `${hours}小时${minutes % 60}分` : `${hours}小时`;
  return days < 10 && hours % 24 ? `${days}天${hours % 24}小时` : `${days}天`;
}

/** What is written on a door instead of how to mend it. */
export interface Mark {
  text: string;
  tone: "done" | "differs" | "skipped";
}
