// Reasons that demo operators give for their actions, and texts of failed commands.
import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import type { MalfunctionKind } from "@cabinet/contract/vocabulary/malfunction.rules.ts";

export const openReasons = [
  "用户忘记取件码，电话核实身份后开门",
  "骑手反映箱门未弹开，协助开门",
  "用户手机没电，核对订单后开门",
  "滞留超过 24 小时，联系用户后开门",
  "用户误关箱门，物品未取出",
] as const;

export const inspectionReasons = ["巡检：检查锁体", "清洁格口", "测试门磁"] as const;

export const clearReasons = [
  "滞留超过 72 小时，多次联系无人领取，物品移交门店保管",
  "物品变质有异味，清柜并通知用户",
  "用户确认放弃，清柜",
] as const;

export const exceptionReasons = [
  "用户反映物品不符，等待核实",
  "取件人称未收到通知，联系骑手核实中",
  "物品疑似破损，等待理赔确认",
  "箱门变形，暂不能打开",
] as const;

export const restartReasons = ["触摸屏无响应", "升级后重启确认", "扫码头不识别，重启恢复"] as const;

/** Reasons to mark a compartment as faulty, each with the kind of its malfunction. */
export const faultReasons = [
  { reason: "锁舌卡住，需更换电磁锁", kind: "OPEN_FAILED" },
  { reason: "门板变形，关不严", kind: "OPEN_FAILED" },
  { reason: "物品传感器不灵敏", kind: "BOARD_FAULT" },
  { reason: "门磁读数不稳定", kind: "BOARD_FAULT" },
  { reason: "把手松动，需紧固", kind: "OTHER" },
  { reason: "撬痕，等待现场确认", kind: "TAMPER" },
  { reason: "内壁破损，等待更换内胆", kind: "OTHER" },
] as const satisfies { reason: string; kind: MalfunctionKind }[];

export const disableReasons = [
  "门板广告更换中",
  "格口有异味，清洁后恢复",
  "预留给设备调试",
] as const;

export const failureDetails: Partial<Record<CommandState, string>> = {
  NOT_CONFIRMED: "已下发开锁信号，门磁未见箱门打开，请检查门锁",
  REJECTED: "设备正忙，未执行，请稍后重试",
  EXPIRED: "指令到达设备时已过期，未执行，请重新操作",
  UNKNOWN: "设备没有回应，不能确认是否执行",
};
