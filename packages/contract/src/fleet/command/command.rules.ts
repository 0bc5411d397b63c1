// Pure rules of a command: states, transitions, texts.

export const COMMAND_KINDS = ["OPEN", "RESTART"] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];
export const commandKindText: Record<CommandKind, string> = {
  OPEN: "远程开门",
  RESTART: "重启设备",
};

/** Command by its actor and purpose: a door that staff open is never mistaken for a customer's. */
export const COMMAND_ACTS = [
  "STAFF_OPEN",
  "DEPOSIT",
  "PICKUP",
  "TAKE_BACK",
  "PARTNER_OPEN",
  "AUTO_OPEN",
  "RESTART",
] as const;
export type CommandAct = (typeof COMMAND_ACTS)[number];
export const commandActText: Record<CommandAct, string> = {
  STAFF_OPEN: "远程开门",
  DEPOSIT: "存件开门",
  PICKUP: "取件开门",
  TAKE_BACK: "取回开门",
  PARTNER_OPEN: "接口开门",
  AUTO_OPEN: "自动开门",
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
  ACKED: ["CONFIRMED", "NOT_CONFIRMED", "UNKNOWN"],
  // No answer is not final: a late report still settles the command.
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

const notExecuted: readonly CommandState[] = ["REJECTED", "EXPIRED", "FAILED"];
const executed: readonly CommandState[] = ["ACKED", "CONFIRMED", "NOT_CONFIRMED"];

/** True if one state proves that the command was not executed and the other that it was. */
export function contradicts(known: CommandState, reported: CommandState): boolean {
  return (
    (notExecuted.includes(known) && executed.includes(reported)) ||
    (executed.includes(known) && notExecuted.includes(reported))
  );
}

/**
 * SEQ: the report has another seq than the command. STAGE: see `contradicts`. Neither is applied.
 */
export const COMMAND_CONFLICTS = ["SEQ", "STAGE"] as const;
export type CommandConflict = (typeof COMMAND_CONFLICTS)[number];
export const commandConflictText: Record<CommandConflict, string> = {
  SEQ: "设备应答的序号与指令不符，该应答未采信",
  STAGE: "设备应答前后矛盾，后到的未采信，请现场核实",
};

/** True once there is a result, which a late report may still change. */
export function hasResult(state: CommandState): boolean {
  return state !== "QUEUED" && state !== "SENT" && state !== "ACKED";
}

/** States that no report changes any more. */
export const FINAL_STATES = COMMAND_STATES.filter((state) => nextStates[state].length === 0);

export const isFinal = (state: CommandState): boolean => FINAL_STATES.includes(state);

/**
 * Seconds after which a result that a late report may still change counts as final (0120). NOT_CONFIRMED: a door may open for
 * a minute after its pulse, and the report takes its way. UNKNOWN: orders wait as long for a report that settles a doubt.
 */
export const FINAL_AFTER_SECONDS = { NOT_CONFIRMED: 90, UNKNOWN: 600 } as const;

/** Describes `isSettled` of an opening in the API documents. */
export const openingSettledText =
  "结果已定：CONFIRMED、REJECTED、EXPIRED、FAILED 不会再变；NOT_CONFIRMED 一分半钟、UNKNOWN 十分钟没有新的上报，也算定了";

/** Text of each state for a door; never claims more than is known. */
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
/** A command that has not left the server by then is never sent; the rest of its time is the way to the cabinet. */
export const SEND_WITHIN_SECONDS = 5;
