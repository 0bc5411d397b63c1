// Notices and refusals before a door is opened; advice for each state of the command afterwards.

import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import { COMMAND_TTL_SECONDS } from "@cabinet/contract/fleet/command/command.rules.ts";
import {
  adminStateText,
  type DoorSide,
  type DoorState,
  doorSideText,
  otherSide,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";

type Doors = Pick<Compartment, "doorFront" | "doorBack">;
export type SeenCell = Doors &
  Pick<Compartment, "adminState" | "adminReason" | "occupancy" | "occupiedSince" | "item">;

export interface Door {
  side: DoorSide;
  state: DoorState;
}

/** The only door, or the front and back doors of a double-sided cabinet. */
export function doorsOf({ doorFront, doorBack }: Doors): Door[] {
  const front: Door = { side: "FRONT", state: doorFront };
  return doorBack === null ? [front] : [front, { side: "BACK", state: doorBack }];
}

export function dwellText(since: string | null, now: number): string | null {
  return since === null
    ? null
    : minutesDwellText(Math.max(0, Math.floor((now - Date.parse(since)) / 60_000)));
}

/** Formats as `不足 1 分钟`, `12 分钟`, `3 小时 5 分`, `2 天 3 小时`; from ten days on `12 天`. */
export function minutesDwellText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes < 1) return "不足 1 分钟";
  if (hours < 1) return `${minutes} 分钟`;
  if (days < 1) return minutes % 60 ? `${hours} 小时 ${minutes % 60} 分` : `${hours} 小时`;
  return days < 10 && hours % 24 ? `${days} 天 ${hours % 24} 小时` : `${days} 天`;
}

export const openReasons = [
  "用户忘记取件码，已核实身份",
  "箱门未弹开，协助开门",
  "用户误关箱门，物品未取出",
  "滞留件，已联系用户",
  "检修测试",
] as const;

/** Opposite door of the compartment unless it is known to be closed: both must never be open. */
function oppositeInTheWay(cell: Doors, side: DoorSide) {
  return doorsOf(cell).find((door) => door.side !== side && door.state !== "CLOSED");
}

export function isOppositeInTheWay(cell: Doors, side: DoorSide): boolean {
  return oppositeInTheWay(cell, side) !== undefined;
}

/** Side to propose: the viewed one, unless the opposite door blocks only that one. */
export function proposedSide(cell: Doors, seen: DoorSide): DoorSide {
  if (cell.doorBack === null) return "FRONT";
  const other = otherSide[seen];
  return oppositeInTheWay(cell, seen) && !oppositeInTheWay(cell, other) ? other : seen;
}

export interface Notice {
  text: string;
  /** The server would refuse the command. */
  isRefusal: boolean;
}

export type SeenPresence = Pick<CabinetDetail, "connectivity" | "lifecycle"> & {
  /** Takes out the goods of an order, which is allowed even on a retired cabinet. */
  isForGoods?: boolean;
};

/** Why no door of this cabinet can be opened now; null if they can. */
export function openRefusal(cabinet: SeenPresence): string | null {
  if (cabinet.lifecycle === "RETIRED" && !cabinet.isForGoods) return "设备已停用，不能远程开门。";
  if (cabinet.connectivity === "ONLINE") return null;
  return {
    CONNECTING: "设备连接中，暂不能远程开门；连接成功后请重新操作。",
    NEVER: "设备不在线，不能远程开门；上线后不会补发。",
    OFFLINE: "设备不在线，不能远程开门；上线后不会补发。",
  }[cabinet.connectivity];
}

export function openNotices(
  cabinet: SeenPresence,
  cell: SeenCell,
  side: DoorSide,
  now: number,
): Notice[] {
  const notices: Notice[] = [];
  const refusal = (text: string) => notices.push({ text, isRefusal: true });
  const hint = (text: string) => notices.push({ text, isRefusal: false });
  const isDouble = cell.doorBack !== null;
  const door = doorsOf(cell).find((candidate) => candidate.side === side);
  const doorName = isDouble ? `${doorSideText[side]}门` : "箱门";

  const cabinetRefusal = openRefusal(cabinet);
  if (cabinetRefusal) refusal(cabinetRefusal);
  const opposite = oppositeInTheWay(cell, side);
  if (opposite?.state === "UNKNOWN") {
    const other = doorSideText[opposite.side];
    refusal(`${other}门的状态未知：两面的门不能同时打开，请先请现场人员确认${other}门已关好。`);
  } else if (opposite) {
    const other = doorSideText[opposite.side];
    refusal(`${other}门没有关好：两面的门不能同时打开，请先请现场人员关好${other}门。`);
  }
  if (door?.state === "OPEN") hint(`${doorName}已经开着，设备不会再次开锁。`);
  if (door?.state === "UNKNOWN") hint(`${doorName}状态未知，设备可能拒绝开锁。`);
  if (cell.occupancy === "OCCUPIED") {
    const dwell = dwellText(cell.occupiedSince, now);
    hint(`格口内记录有物品${dwell ? `（已 ${dwell}）` : ""}，请确认由本人取走。`);
  } else if (cell.item === "PRESENT") hint("记录为空闲，但传感器检测到物品。");
  if (cell.adminState !== "ENABLED") {
    const why = cell.adminReason ? `：${cell.adminReason}` : "";
    hint(`格口处于“${adminStateText[cell.adminState]}”${why}。`);
  }
  return notices;
}

export function isOpenRefused(door: {
  cabinet: SeenPresence;
  cell: SeenCell;
  side: DoorSide;
  now: number;
}): boolean {
  const { cabinet, cell, side, now } = door;
  return openNotices(cabinet, cell, side, now).some(({ isRefusal }) => isRefusal);
}

/** Advice on the next step; an opening is never retried automatically. */
export function adviceOf(state: CommandState): string {
  switch (state) {
    case "QUEUED":
    case "SENT":
      return `等待设备回应；指令 ${COMMAND_TTL_SECONDS} 秒内有效，过期后不会再开门。`;
    case "ACKED":
      return "已下发开锁信号，正在等门磁确认箱门是否打开。";
    case "CONFIRMED":
      return "请取放后关好箱门。";
    case "NOT_CONFIRMED":
      return "请现场人员拉一下箱门；仍打不开，请标记故障并派人检修。";
    case "REJECTED":
      return "箱门没有打开。请先解决上述原因，再重新发起开门。";
    case "EXPIRED":
      return "指令已作废，不会再开门。如仍需要，请重新发起开门。";
    case "FAILED":
      return "箱门没有打开。重新发起仍失败时，请标记故障并派人检修。";
    case "UNKNOWN":
      return "箱门可能已开，也可能没有：请先请现场人员查看，确认关着再重新发起。";
  }
}
