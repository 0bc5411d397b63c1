// Pure rules of a cabinet's service: state, renewal dates, and whether it takes new orders.
import { addDays } from "../../kit/shanghai.rules.ts";
import type { Lifecycle } from "./cabinet.rules.ts";

export const SERVICE_STATES = [
  "UNSET",
  "PENDING",
  "ACTIVE",
  "EXPIRING",
  "EXPIRED",
  "STOPPED",
] as const;
/** Derived from the period by the database's clock alone. */
export type ServiceState = (typeof SERVICE_STATES)[number];

export const serviceStateText: Record<ServiceState, string> = {
  UNSET: "未设置",
  PENDING: "未开通",
  ACTIVE: "服务中",
  EXPIRING: "即将到期",
  EXPIRED: "已到期",
  STOPPED: "已停止",
};

/** A service that ends within this many days is 即将到期. */
export const EXPIRING_DAYS = 30;

/**
 * Reminders about services: one sentence per state with a count; empty when nothing needs action.
 */
export function serviceReminders(counts: {
  expiring: number;
  expired: number;
  stopped: number;
}): { state: ServiceState; text: string }[] {
  const all = [
    ["EXPIRING", counts.expiring, `在 ${EXPIRING_DAYS} 天内到期`],
    ["EXPIRED", counts.expired, "已到期，不接新单"],
    ["STOPPED", counts.stopped, "已停止服务，不接新单"],
  ] as const;
  return all
    .filter(([, count]) => count > 0)
    .map(([state, count, text]) => ({ state, text: `${count} 台${text}` }));
}

export const ORDER_REFUSALS = [
  "RETIRED",
  "INACTIVE",
  "PAUSED",
  "SERVICE_STOPPED",
  "SERVICE_EXPIRED",
  "SERVICE_PENDING",
] as const;
export type OrderRefusal = (typeof ORDER_REFUSALS)[number];

/** Reason why a cabinet takes no new orders, and its remedy. */
export const orderRefusalText: Record<OrderRefusal, { why: string; mend: string }> = {
  RETIRED: { why: "设备已停用", mend: "停用的设备不再接单，也不能远程开门" },
  INACTIVE: { why: "设备未启用", mend: "等待现场激活：在设备上输入激活码，连接后自动投入运营" },
  PAUSED: { why: "已暂停运营", mend: "点“恢复运营”后接单" },
  SERVICE_STOPPED: { why: "服务已停止", mend: "联系平台恢复服务" },
  SERVICE_EXPIRED: { why: "服务已到期", mend: "联系平台续期" },
  SERVICE_PENDING: { why: "服务尚未开通", mend: "到开始日期后自动接单，或联系平台提前开通" },
};

const refusalsOfService: Partial<Record<ServiceState, OrderRefusal>> = {
  STOPPED: "SERVICE_STOPPED",
  EXPIRED: "SERVICE_EXPIRED",
  PENDING: "SERVICE_PENDING",
};

/**
 * Reason why this cabinet takes no new orders, or null. Never consulted when opening a door:
 * stored goods are returned in any state.
 */
export function orderRefusal(cabinet: {
  lifecycle: Lifecycle;
  service: { state: ServiceState };
}): OrderRefusal | null {
  if (cabinet.lifecycle !== "ACTIVE") return cabinet.lifecycle;
  return refusalsOfService[cabinet.service.state] ?? null;
}

export const SERVICE_ACTIONS = ["OPENED", "RENEWED", "ADJUSTED", "STOPPED", "RESUMED"] as const;
export type ServiceAction = (typeof SERVICE_ACTIONS)[number];

export const serviceActionText: Record<ServiceAction, string> = {
  OPENED: "开通",
  RENEWED: "续期",
  ADJUSTED: "调整",
  STOPPED: "停止服务",
  RESUMED: "恢复服务",
};

/** Days as `2026-11-21`, both inclusive; null where nothing is agreed. */
export interface ServicePeriod {
  startsOn: string | null;
  endsOn: string | null;
}

export interface RenewalTerms {
  months?: number;
  endsOn?: string;
  /** Allowed only while no period is running. */
  startsOn?: string;
}

export interface Renewal {
  action: "OPENED" | "RENEWED" | "ADJUSTED";
  startsOn: string;
  endsOn: string;
}

export type RenewalProblem = "RUNNING" | "ENDS_BEFORE_START" | "ENDS_IN_PAST" | "UNCHANGED";

export const renewalProblemText: Record<RenewalProblem, string> = {
  RUNNING: "服务期正在进行，不能改开始日期",
  ENDS_BEFORE_START: "到期日不能早于开始日期",
  ENDS_IN_PAST: "到期日不能早于今天；要立即结束请用“停止服务”",
  UNCHANGED: "到期日没有变化，请另选一天",
};

/** Extends a running period from its end; one that is over or was never set begins today. */
export function renewPeriod(
  { startsOn, endsOn }: ServicePeriod,
  request: RenewalTerms,
  today: string,
): Renewal | RenewalProblem {
  const isRunning = startsOn !== null && endsOn !== null && startsOn <= today && endsOn >= today;
  if (isRunning && request.startsOn !== undefined) return "RUNNING";
  const isAhead = startsOn !== null && startsOn > today;
  const start = isRunning ? startsOn : (request.startsOn ?? (isAhead ? startsOn : today));
  const keepsStart = isRunning || (isAhead && request.startsOn === undefined);
  const from = keepsStart && endsOn !== null ? addDays(endsOn, 1) : start;
  const end = request.endsOn ?? addDays(addMonths(from, request.months ?? 0), -1);
  if (end < start) return "ENDS_BEFORE_START";
  if (end < today) return "ENDS_IN_PAST";
  if (start === startsOn && end === endsOn) return "UNCHANGED";
  const isLonger = endsOn === null || end > endsOn;
  const action = startsOn === null ? "OPENED" : isLonger ? "RENEWED" : "ADJUSTED";
  return { action, startsOn: start, endsOn: end };
}

/** Same day of a later month, or that month's last day. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const time = new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)));
  return time.toISOString().slice(0, 10);
}
