// Pure rules of a command: its states, which may follow which, and how each reads.

export const COMMAND_KINDS = ["OPEN", "RESTART"] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];
export const commandKindText: Record<CommandKind, string> = {
  OPEN: "远程开门",
  RESTART: "重启设备",
};

export const COMMAND_STATES = [
  "QUEUED",
  "SENT",
  "ACKED",
  "CONFIRMED",
  "NOT_CONFIRMED",
  "REJECTED",
  "EXPIRED",
  "FAILED",
  "UNKNOWN",
] as const;
export type CommandState = (typeof COMMAND_STATES)[number];

const nextStates: Record<CommandState, readonly CommandState[]> = {
  QUEUED: ["SENT", "EXPIRED", "FAILED"],
  SENT: ["ACKED", "CONFIRMED", "NOT_CONFIRMED", "REJECTED", "EXPIRED", "FAILED", "UNKNOWN"],
  ACKED: ["CONFIRMED", "NOT_CONFIRMED", "FAILED", "UNKNOWN"],
  // A silence is not the last word: a report that comes late still settles it.
  UNKNOWN: ["CONFIRMED", "NOT_CONFIRMED", "REJECTED", "EXPIRED", "FAILED"],
  CONFIRMED: [],
  NOT_CONFIRMED: ["CONFIRMED"],
  REJECTED: [],
  EXPIRED: [],
  FAILED: [],
};

export function mayFollow(from: CommandState, to: CommandState): boolean {
  return nextStates[from].includes(to);
}

/** Nothing more is being waited for. */
export function isSettled(state: CommandState): boolean {
  return state !== "QUEUED" && state !== "SENT" && state !== "ACKED";
}

/** The honest reading of each stage, for a door. */
export const commandStateText: Record<CommandState, string> = {
  QUEUED: "等待下发",
  SENT: "已下发",
  ACKED: "已执行，等待门磁确认",
  CONFIRMED: "已开门",
  NOT_CONFIRMED: "已执行，门未打开",
  REJECTED: "设备拒绝",
  EXPIRED: "已过期，未开门",
  FAILED: "执行失败",
  UNKNOWN: "结果未知，请现场核实",
};

/** `exp = iat + 15 s` (protocol §1). */
export const COMMAND_TTL_SECONDS = 15;
