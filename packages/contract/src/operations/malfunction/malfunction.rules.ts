// Pure rules of malfunctions: kinds, severities, state transitions, response times.
import { type MalfunctionKind, malfunctionKindText } from "../../vocabulary/malfunction.rules.ts";

export const MALFUNCTION_STATES = [
  "CREATED",
  "ASSIGNED",
  "PROCESSING",
  "RESOLVED",
  "CLOSED",
  "IGNORED",
] as const;
export type MalfunctionState = (typeof MALFUNCTION_STATES)[number];
export const malfunctionStateText: Readonly<Record<MalfunctionState, string>> = {
  CREATED: "待受理",
  ASSIGNED: "已派单",
  PROCESSING: "处理中",
  RESOLVED: "已处理",
  CLOSED: "已关闭",
  IGNORED: "误报",
};

/** States in which somebody still has to act at the cabinet. */
const OPEN_STATES = ["CREATED", "ASSIGNED", "PROCESSING"] as const satisfies MalfunctionState[];

export function isOpenState(state: MalfunctionState): boolean {
  return (OPEN_STATES as readonly MalfunctionState[]).includes(state);
}

/** Most severe first. */
export const SEVERITIES = ["SEVERE", "URGENT", "NORMAL", "MINOR"] as const;
export type Severity = (typeof SEVERITIES)[number];
export const severityText: Readonly<Record<Severity, string>> = {
  SEVERE: "严重",
  URGENT: "紧急",
  NORMAL: "一般",
  MINOR: "轻微",
};

/** Initial severity by kind; people may change it. */
export const severityOfKind: Readonly<Record<MalfunctionKind, Severity>> = {
  OFFLINE: "URGENT",
  OPEN_FAILED: "URGENT",
  UNCOMMANDED_OPENING: "URGENT",
  IDENTITY_SHARED: "URGENT",
  DOOR_LEFT_OPEN: "NORMAL",
  OCCUPANCY_ABNORMAL: "NORMAL",
  VIBRATION: "URGENT",
  TAMPER: "SEVERE",
  POWER_LOW: "URGENT",
  BOARD_FAULT: "URGENT",
  TEMPERATURE_HIGH: "NORMAL",
  TEMPERATURE_LOW: "NORMAL",
  NETWORK_POOR: "MINOR",
  OTHER: "NORMAL",
};
/** Kind in words; without a cabinet it is an outage of the whole store. */
export function malfunctionTitle({
  kind,
  cabinetId,
}: {
  kind: MalfunctionKind;
  cabinetId: number | null;
}): string {
  return cabinetId === null ? "门店断网" : malfunctionKindText[kind];
}

/** Severity of a store-wide outage. */
export const OUTAGE_SEVERITY: Severity = "SEVERE";

/** Operator actions on a malfunction; all but note, test and setSeverity change its state. */
export const MALFUNCTION_ACTIONS = [
  "accept",
  "assign",
  "resolve",
  "close",
  "ignore",
  "reopen",
  "setSeverity",
  "note",
  "test",
] as const;
export type MalfunctionAction = (typeof MALFUNCTION_ACTIONS)[number];
export const malfunctionActionText: Readonly<Record<MalfunctionAction, string>> = {
  accept: "受理",
  assign: "派单",
  resolve: "完成处理",
  close: "关闭故障",
  ignore: "误报",
  reopen: "重开",
  setSeverity: "调整级别",
  note: "添加记录",
  test: "开门测试",
};

const fromStates: Readonly<Record<MalfunctionAction, readonly MalfunctionState[]>> = {
  accept: ["CREATED", "ASSIGNED"],
  assign: ["CREATED", "ASSIGNED", "PROCESSING"],
  resolve: ["PROCESSING"],
  close: ["RESOLVED"],
  ignore: ["CREATED", "ASSIGNED", "PROCESSING"],
  reopen: ["RESOLVED", "CLOSED", "IGNORED"],
  setSeverity: ["CREATED", "ASSIGNED", "PROCESSING"],
  note: ["CREATED", "ASSIGNED", "PROCESSING", "RESOLVED"],
  test: ["CREATED", "ASSIGNED", "PROCESSING", "RESOLVED"],
};

export function mayAct(step: MalfunctionAction, state: MalfunctionState): boolean {
  return fromStates[step].includes(state);
}

export type MovingAction = Exclude<MalfunctionAction, "note" | "test" | "setSeverity">;

/** State after an action, from any state that allows it. */
export function stateAfter(step: MovingAction, hasAssignee: boolean): MalfunctionState {
  switch (step) {
    case "accept":
      return "PROCESSING";
    case "assign":
      return "ASSIGNED";
    case "resolve":
      return "RESOLVED";
    case "close":
      return "CLOSED";
    case "ignore":
      return "IGNORED";
    case "reopen":
      return hasAssignee ? "ASSIGNED" : "CREATED";
  }
}

/** Facts that decide which actions are possible. */
export interface MalfunctionProgress {
  state: MalfunctionState;
  assigneeName: string;
  /** Assigned to another account than the caller's. */
  isOthers: boolean;
  cabinetId: number | null;
}

/** Reason why the caller cannot do this now, in Chinese; null when possible. */
export function actionProblem(
  step: MalfunctionAction,
  { state, assigneeName, isOthers, cabinetId }: MalfunctionProgress,
): string | null {
  if (!mayAct(step, state)) {
    const action = malfunctionActionText[step];
    return step === "resolve" && isOpenState(state)
      ? "请先受理，再填写处理结果"
      : `“${malfunctionStateText[state]}”的故障不能${action.replace("故障", "")}`;
  }
  if (step === "test" && cabinetId === null) return "门店断网没有可测试的箱门";
  if (step === "accept" && isOthers) return `已派给${assigneeName}，由其本人受理，或先转派给您`;
  return null;
}

export const MALFUNCTION_SOURCES = ["DEVICE", "PERSON"] as const;
export type MalfunctionSource = (typeof MALFUNCTION_SOURCES)[number];
export const malfunctionSourceText: Readonly<Record<MalfunctionSource, string>> = {
  DEVICE: "设备自动上报",
  PERSON: "人工登记",
};

export const MALFUNCTION_EVENTS = [
  "REPORTED",
  "REPEATED",
  "ASSIGNED",
  "ACCEPTED",
  "NOTED",
  "TESTED",
  "SEVERITY",
  "RESOLVED",
  "RECOVERED",
  "CLOSED",
  "IGNORED",
  "REOPENED",
] as const;
export type MalfunctionEventKind = (typeof MALFUNCTION_EVENTS)[number];
export const malfunctionEventText: Readonly<Record<MalfunctionEventKind, string>> = {
  REPORTED: "登记故障",
  REPEATED: "再次上报",
  ASSIGNED: "派单",
  ACCEPTED: "受理",
  NOTED: "处理记录",
  TESTED: "开门测试",
  SEVERITY: "调整级别",
  RESOLVED: "完成处理",
  RECOVERED: "自动恢复",
  CLOSED: "关闭故障",
  IGNORED: "标记误报",
  REOPENED: "重开",
};

export interface SlaTerms {
  /** Minutes until somebody must accept it, counted from the report. */
  respondMinutes: number;
  /** Minutes until it must be resolved, counted from the report. */
  resolveMinutes: number;
}

export const MAX_SLA_MINUTES = 30 * 24 * 60;

/** Default response times until a tenant sets its own. */
export const defaultSla: Readonly<Record<Severity, SlaTerms>> = {
  SEVERE: { respondMinutes: 15, resolveMinutes: 4 * 60 },
  URGENT: { respondMinutes: 30, resolveMinutes: 8 * 60 },
  NORMAL: { respondMinutes: 4 * 60, resolveMinutes: 24 * 60 },
  MINOR: { respondMinutes: 24 * 60, resolveMinutes: 72 * 60 },
};

/** Problem of response times that a schema cannot express, in Chinese; null when they are valid. */
export function slaProblem(terms: Readonly<Record<Severity, SlaTerms>>): string | null {
  for (const [index, severity] of SEVERITIES.entries()) {
    const { respondMinutes, resolveMinutes } = terms[severity];
    const name = severityText[severity];
    if (resolveMinutes < respondMinutes) return `“${name}”的处理时限不能短于受理时限`;
    const worse = SEVERITIES[index - 1];
    if (!worse) continue;
    if (
      respondMinutes < terms[worse].respondMinutes ||
      resolveMinutes < terms[worse].resolveMinutes
    ) {
      return `“${name}”的时限不能短于“${severityText[worse]}”的时限`;
    }
  }
  return null;
}

export interface MalfunctionTerms {
  state: MalfunctionState;
  acceptedAt: string | null;
  respondBy: string | null;
  resolveBy: string | null;
}

/** Next due time: accepting (respondBy), then resolving (resolveBy); null: nothing is due. */
export function dueAt({
  state,
  acceptedAt,
  respondBy,
  resolveBy,
}: MalfunctionTerms): string | null {
  if (!isOpenState(state)) return null;
  return acceptedAt === null ? respondBy : resolveBy;
}

export type DueStage = "IN_TIME" | "SOON" | "OVERDUE";

/** Window before the due time in which it is marked as SOON. */
const SOON_MINUTES = 30;

/** `due` is an ISO instant; SOON begins `SOON_MINUTES` before it. */
export function dueStageOf(due: string, nowMs: number): DueStage {
  const leftMs = Date.parse(due) - nowMs;
  if (leftMs < 0) return "OVERDUE";
  return leftMs < SOON_MINUTES * 60_000 ? "SOON" : "IN_TIME";
}

/** Days after which a malfunction that recovered by itself is closed automatically. */
export const CLOSE_AFTER_DAYS = 7;
/** Hours for which a cabinet's report does not reopen a malfunction marked as false alarm. */
export const IGNORED_FOR_HOURS = 24;
/** Most photos of one action. */
export const MAX_PHOTOS = 6;
