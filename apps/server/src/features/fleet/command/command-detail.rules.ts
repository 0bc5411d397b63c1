// User-facing text for a command that was refused, failed, or has an unknown result.
import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";

/** Reason codes of the link protocol; a newer cabinet may send codes that are not listed here. */
const reasonText: Record<string, string> = {
  NO_SESSION: "设备正在与平台同步，未执行，请稍后重试",
  WRONG_EPOCH: "设备刚刚重新连接，指令已作废，请重新操作",
  STALE_SEQ: "指令到达的次序有误，设备未执行，请重新操作",
  BAD_EXPIRY: "指令有效期不合规，设备未执行，请联系技术支持",
  MALFORMED: "设备读不懂这条指令，未执行，请升级设备程序",
  VERSION: "设备程序版本不符，未执行，请升级设备程序",
  UNKNOWN_COMMAND: "设备程序不支持这条指令，请升级设备程序",
  NO_SUCH_DOOR: "设备上没有这扇门，请核对设备型号与格口号",
  DOOR_OPEN: "箱门本来就开着，未再开锁",
  DOOR_UNKNOWN: "门磁状态未知，设备未开锁，请现场检查门磁",
  OTHER_SIDE_OPEN: "另一面门未关好，双面门不能同时打开，请先关好另一面",
  ITEM_MISMATCH: "箱内物品与预期不符，设备未开锁，请现场核实",
  BUSY: "设备正忙，未执行，请稍后重试",
  JOURNAL: "设备存储故障，未执行，请报修",
  BOARD: "驱动板故障，未执行，请报修",
};

/** Detail text for the operation log beside a reported state; null for a normal outcome. */
export function reportedDetail(state: CommandState, reason?: string): string | null {
  if (reason) return reasonText[reason] ?? `设备未执行，原因代码 ${reason}`;
  switch (state) {
    case "NOT_CONFIRMED":
      return "已下发开锁信号，门磁未见箱门打开，请检查门锁";
    case "EXPIRED":
      return "指令到达设备时已过期，未执行，请重新操作";
    case "REJECTED":
    case "FAILED":
      return "设备未执行，且没有说明原因";
    case "UNKNOWN":
      return "设备执行中断电或重启，不能确认是否执行";
    default:
      return null;
  }
}

export const unsentDetail = "连接已断开，指令未下发，请重新操作";
export const neverTakenDetail = "设备没有收到指令，已作废，请重新操作";
export const silentDetail = "设备没有回应，不能确认是否执行";
export const memoryLostDetail = "设备丢失了执行记录，不能确认是否执行";
