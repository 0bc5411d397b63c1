// Differences between what a simulated cabinet believes and what the platform knows of it.
import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type {
  SimulatedCabinetState,
  SimulatedCompartment,
} from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import type { Connectivity } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import {
  type DoorSide,
  doorSideText,
  doorStateText,
  itemStateText,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";

/** A compartment of the drawing: place and size from the platform, doors and content from the cabinet. */
export interface DrawnCompartment extends SimulatedCompartment {
  column: number;
  row: number;
  rowSpan: number;
  size: Compartment["size"];
}

/** Compartments that both know; a cabinet whose layout has changed since its start may lack some. */
export function drawnCompartments(
  state: SimulatedCabinetState,
  cells: readonly Compartment[],
): DrawnCompartment[] {
  const cellOf = new Map(cells.map((cell) => [cell.no, cell]));
  return state.compartments.flatMap((compartment) => {
    const cell = cellOf.get(compartment.no);
    if (!cell) return [];
    const { column, row, rowSpan, size } = cell;
    return [{ ...compartment, column, row, rowSpan, size }];
  });
}

export function doorOf(compartment: SimulatedCompartment, side: DoorSide): "OPEN" | "CLOSED" {
  return { BACK: compartment.back, FRONT: compartment.front }[side] ?? "CLOSED";
}

/** The open side of a compartment; both are never open. */
export function openSide(compartment: SimulatedCompartment): DoorSide | null {
  if (compartment.front === "OPEN") return "FRONT";
  return compartment.back === "OPEN" ? "BACK" : null;
}

export interface Difference {
  /** `3 号格口 门`. */
  subject: string;
  cabinet: string;
  platform: string;
}

/** Facts on which cabinet and platform disagree, the connection first. */
export function differencesOf(
  state: SimulatedCabinetState,
  cells: readonly Compartment[],
  connectivity: Connectivity,
): Difference[] {
  const found: Difference[] = [];
  const isOnline = connectivity === "ONLINE";
  if (state.hasSession !== isOnline) {
    found.push({
      subject: "连接",
      cabinet: state.hasSession ? "已连接" : "已断开",
      platform: isOnline ? "在线" : "不在线",
    });
  }
  const cellOf = new Map(cells.map((cell) => [cell.no, cell]));
  for (const compartment of state.compartments) {
    const cell = cellOf.get(compartment.no);
    if (!cell) continue;
    const { no, front, back, content } = compartment;
    const compare = <State extends string>(
      subject: string,
      own: State,
      known: State | "UNKNOWN",
      texts: Record<State | "UNKNOWN", string>,
    ) => {
      if (own === known) return;
      found.push({ subject: `${no} 号${subject}`, cabinet: texts[own], platform: texts[known] });
    };
    const doorName = (side: DoorSide) => (back === null ? "门" : `${doorSideText[side]}门`);
    compare(doorName("FRONT"), front, cell.doorFront, doorStateText);
    if (back !== null) compare(doorName("BACK"), back, cell.doorBack ?? "UNKNOWN", doorStateText);
    compare("物品", content, cell.item, itemStateText);
  }
  return found;
}

const stageTexts: Record<string, string> = {
  STARTED: "已开始",
  ACKED: "已通电",
  CONFIRMED: "门已弹开",
  NOT_CONFIRMED: "门未弹开",
  REJECTED: "已拒绝",
  EXPIRED: "已过期",
  FAILED: "失败",
  UNKNOWN: "未知",
};

export function stageText(stage: string): string {
  return stageTexts[stage] ?? stage;
}

/** Label of a door for screen readers: `3 号格口，中，门已关，有物，锁卡住`. */
export function compartmentLabel(compartment: DrawnCompartment, sizeName: string): string {
  const side = openSide(compartment);
  const isDouble = compartment.back !== null;
  const door = side === null ? "门已关" : `${isDouble ? doorSideText[side] : ""}门已开`;
  return [
    `${compartment.no} 号格口`,
    sizeName,
    door,
    itemStateText[compartment.content],
    compartment.isJammed && "锁卡住",
    compartment.isSensorWrong && "传感器失灵",
  ]
    .filter(Boolean)
    .join("，");
}
