// Pure rules of roll-outs: states, texts, sizes of the stages.

export const ROLLOUT_KINDS = ["FIRMWARE", "CONFIG"] as const;
export type RolloutKind = (typeof ROLLOUT_KINDS)[number];
export const rolloutKindText: Record<RolloutKind, string> = {
  FIRMWARE: "升级固件",
  CONFIG: "下发参数",
};

export const ROLLOUT_STATES = [
  "SCHEDULED",
  "RUNNING",
  "PAUSED",
  "STOPPED",
  "FINISHED",
  "CANCELLED",
] as const;
export type RolloutState = (typeof ROLLOUT_STATES)[number];
export const rolloutStateText: Record<RolloutState, string> = {
  SCHEDULED: "等待开始",
  RUNNING: "进行中",
  PAUSED: "已暂停",
  STOPPED: "已自动停止",
  FINISHED: "已完成",
  CANCELLED: "已取消",
};

export const TARGET_STATES = [
  "WAITING",
  "SENT",
  "ACCEPTED",
  "DOWNLOADING",
  "INSTALLING",
  "SUCCEEDED",
  "FAILED",
  "REFUSED",
  "TIMED_OUT",
  "CANCELLED",
  "REVERTED",
] as const;
export type TargetState = (typeof TARGET_STATES)[number];
export const targetStateText: Record<TargetState, string> = {
  WAITING: "等待下发",
  SENT: "已下发",
  ACCEPTED: "设备已接受",
  DOWNLOADING: "下载中",
  INSTALLING: "安装中，等待重启确认",
  SUCCEEDED: "成功",
  FAILED: "失败",
  REFUSED: "设备拒绝",
  TIMED_OUT: "超时未完成",
  CANCELLED: "已取消",
  REVERTED: "已回退",
};

export const IN_FLIGHT_STATES = ["SENT", "ACCEPTED", "DOWNLOADING", "INSTALLING"] as const;
export const FAILED_STATES = ["FAILED", "REFUSED", "TIMED_OUT"] as const;

const nextStates: Record<TargetState, readonly TargetState[]> = {
  WAITING: ["SENT", "SUCCEEDED", "CANCELLED"],
  // Back to WAITING: a door was open, the cabinet was busy, or it went offline before it finished.
  SENT: [
    ...["ACCEPTED", "DOWNLOADING", "INSTALLING", "SUCCEEDED", "FAILED", "REFUSED"],
    ...["TIMED_OUT", "WAITING", "CANCELLED", "REVERTED"],
  ] as TargetState[],
  ACCEPTED: ["DOWNLOADING", "INSTALLING", "SUCCEEDED", "FAILED", "REFUSED", "TIMED_OUT", "WAITING"],
  DOWNLOADING: ["INSTALLING", "SUCCEEDED", "FAILED", "REFUSED", "TIMED_OUT", "WAITING"],
  INSTALLING: ["SUCCEEDED", "FAILED", "TIMED_OUT"],
  SUCCEEDED: ["REVERTED"],
  FAILED: ["WAITING", "REVERTED"],
  REFUSED: ["WAITING"],
  // A timeout is not final: the birth that proves the new program still counts.
  TIMED_OUT: ["WAITING", "SUCCEEDED", "REVERTED"],
  CANCELLED: [],
  REVERTED: [],
};

export function mayFollow(from: TargetState, to: TargetState): boolean {
  return nextStates[from].includes(to);
}

export function isInFlight(state: TargetState): boolean {
  return (IN_FLIGHT_STATES as readonly TargetState[]).includes(state);
}

/** Protocol §1: stages of 1 %, 10 % and 100 %; stops automatically above 5 % failures. */
export const ROLLOUT_DEFAULTS = {
  stagePercents: [1, 10, 100],
  advancePercent: 90,
  dwellMinutes: 30,
  stopPercent: 5,
  timeoutMinutes: 30,
};

/** Null when the percentages increase and end at 100; else the problem, in Chinese. */
export function stagePercentsProblem(percents: readonly number[]): string | null {
  if (percents.at(-1) !== 100) return "最后一批须为 100%";
  const isRising = percents.every((percent, at) => percent > (percents[at - 1] ?? 0));
  return isRising ? null : "各批的百分比须逐批增大";
}

/**
 * Cabinets that each stage adds: percentages refer to the whole `count`, rounded up; a stage has at
 * least one cabinet while any are left.
 */
export function stageSizes(count: number, percents: readonly number[]): number[] {
  let before = 0;
  return percents.map((percent, at) => {
    const isLast = at === percents.length - 1;
    const wanted = isLast ? count : Math.max(before + 1, Math.ceil((count * percent) / 100));
    const upTo = Math.min(count, wanted);
    const size = upTo - before;
    before = upTo;
    return size;
  });
}
