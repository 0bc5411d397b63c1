// Pure rules of maintenance messages (维护消息): when a malfunction is notified to whom, and the SMS
// text.

import { shanghaiClock } from "../../kit/shanghai.rules.ts";
import { MALFUNCTION_KINDS, malfunctionKindText } from "../../vocabulary/malfunction.rules.ts";
import type { Facts } from "../template/template.rules.ts";

/**
 * Tenant-wide kinds, not malfunctions of a cabinet. CERTIFICATE: the WeChat Pay certificate expires, which
 * stops all top-ups. CALLBACK: webhooks are not delivered, so third parties miss events.
 */
export const TENANT_KINDS = ["CERTIFICATE", "CALLBACK"] as const;
export type TenantKind = (typeof TENANT_KINDS)[number];
export const isTenantKind = (kind: RuleKind): kind is TenantKind =>
  (TENANT_KINDS as readonly RuleKind[]).includes(kind);

/** `*` covers the kinds without a rule of their own. */
export const RULE_KINDS = ["*", ...MALFUNCTION_KINDS, ...TENANT_KINDS] as const;
export type RuleKind = (typeof RULE_KINDS)[number];
export const ruleKindText: Readonly<Record<RuleKind, string>> = {
  "*": "默认规则",
  ...malfunctionKindText,
  CERTIFICATE: "支付证书到期",
  CALLBACK: "回调未送达",
};

/**
 * Source of the rule in force: the kind's own, the tenant's general one, or the built-in default.
 */
export const RULE_SOURCES = ["OWN", "TENANT", "HOUSE"] as const;
export type RuleSource = (typeof RULE_SOURCES)[number];

export const NOTICE_STEPS = ["FIRST", "ESCALATION", "ASSIGNED", "TEST"] as const;
export type NoticeStep = (typeof NOTICE_STEPS)[number];
export const noticeStepText: Record<NoticeStep, string> = {
  FIRST: "故障通知",
  ESCALATION: "升级通知",
  ASSIGNED: "派单通知",
  TEST: "测试消息",
};

export const SMS_STATES = ["NONE", "WAITING", "QUEUED", "NO_PHONE", "CAPPED", "MOOT"] as const;
export type NoticeSmsState = (typeof SMS_STATES)[number];
export const noticeSmsText: Record<NoticeSmsState, string> = {
  NONE: "不发短信",
  WAITING: "等待免打扰结束",
  QUEUED: "已写入发件箱",
  NO_PHONE: "未发：没有手机号",
  CAPPED: "未发：超过每小时上限",
  MOOT: "未发：故障已有人处理",
};

/** Rate limit: maintenance SMS per recipient and hour. */
export const MAX_SMS_PER_HOUR = 20;
export const MAX_CALM_MINUTES = 24 * 60;
export const MAX_ESCALATE_MINUTES = 7 * 24 * 60;

/** `HH:MM` in Shanghai time; may span midnight. */
export interface QuietHours {
  quietFrom: string | null;
  quietTo: string | null;
}

export interface RuleSettings extends QuietHours {
  isOn: boolean;
  toCaretakers: boolean;
  toManager: boolean;
  byConsole: boolean;
  bySms: boolean;
  calmMinutes: number;
  escalateMinutes: number | null;
}

/**
 * Default rule until a tenant sets one: notifies those responsible for the store, in the console.
 */
export const defaultRule: RuleSettings = {
  isOn: true,
  toCaretakers: true,
  toManager: true,
  byConsole: true,
  bySms: false,
  quietFrom: null,
  quietTo: null,
  calmMinutes: 30,
  escalateMinutes: null,
};

export interface RuleDraft extends RuleSettings {
  recipientIds: readonly number[];
  escalationIds: readonly number[];
}

/** Problem of a rule that a schema cannot express, in Chinese; null when it is valid. */
export function ruleProblem(rule: RuleDraft, kind: RuleKind): string | null {
  if (!rule.isOn) return null;
  if (!rule.byConsole && !rule.bySms) return "请至少选择一种通知方式：后台提醒或短信";
  const isToNobody = !rule.toCaretakers && !rule.toManager && rule.recipientIds.length === 0;
  if (isToNobody && !isTenantKind(kind)) {
    return "请至少选择一类接收人：门店运维人员、门店负责人或指定账号";
  }
  if ((rule.quietFrom === null) !== (rule.quietTo === null)) {
    return "免打扰的开始和结束时间要一起填写";
  }
  if (rule.quietFrom !== null && rule.quietFrom === rule.quietTo) {
    return "免打扰的开始和结束时间不能相同";
  }
  if (rule.escalateMinutes !== null && rule.escalationIds.length === 0) {
    return "请选择升级通知的账号，或关闭升级通知";
  }
  return null;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** End of the quiet hours in progress, in ms since 1970; null outside of them. */
export function quietUntil(nowMs: number, { quietFrom, quietTo }: QuietHours): number | null {
  if (quietFrom === null || quietTo === null) return null;
  const minute = Math.floor(nowMs / MINUTE_MS);
  const ofDay = minutesOf(shanghaiClock(nowMs).slice(11));
  const from = minutesOf(quietFrom);
  const to = minutesOf(quietTo);
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES;
  const passed = (ofDay - from + DAY_MINUTES) % DAY_MINUTES;
  return passed < length ? (minute + length - passed) * MINUTE_MS : null;
}

/** Notification progress of a malfunction; times in milliseconds. */
export interface AlertProgress {
  /** True while nobody has accepted it. */
  isWaiting: boolean;
  /** True if it was assigned to somebody, who was notified of that. */
  isGiven: boolean;
  isNotified: boolean;
  isEscalated: boolean;
  /** Time of the last notification of the same malfunction at the same place. */
  lastNoticeMs: number | null;
}

export type AlertStep =
  /** Nothing left to do. */
  | { do: "END" }
  | { do: "WAIT"; untilMs: number }
  /** Already notified by the assignment; the next step is the escalation at `nextMs`. */
  | { do: "TOLD"; nextMs: number | null }
  | { do: "TELL"; step: "FIRST" | "ESCALATION"; nextMs: number | null };

/** Next step of an alert that is due. */
export function judgeAlert(course: AlertProgress, rule: RuleSettings, nowMs: number): AlertStep {
  if (!course.isWaiting || !rule.isOn) return { do: "END" };
  const { calmMinutes, escalateMinutes } = rule;
  const nextMs = escalateMinutes === null ? null : nowMs + escalateMinutes * MINUTE_MS;
  if (!course.isNotified && course.isGiven) return { do: "TOLD", nextMs };
  if (!course.isNotified) {
    const calmUntilMs = (course.lastNoticeMs ?? Number.NEGATIVE_INFINITY) + calmMinutes * MINUTE_MS;
    if (calmUntilMs > nowMs) return { do: "WAIT", untilMs: calmUntilMs };
    return { do: "TELL", step: "FIRST", nextMs };
  }
  if (course.isEscalated || escalateMinutes === null) return { do: "END" };
  return { do: "TELL", step: "ESCALATION", nextMs: null };
}

interface NoticeFacts {
  step: NoticeStep;
  kind: RuleKind;
  /** Store, cabinet and compartment in words. */
  place: string;
  /** Outages only: how much of the store is offline. */
  detail: string;
}

const noticeWords = {
  FIRST: { title: "故障通知", advice: "请尽快处理" },
  ESCALATION: { title: "故障升级", advice: "仍无人受理，请尽快安排处理" },
  ASSIGNED: { title: "故障派单", advice: "已派给您，请尽快受理" },
};

const tenantNoticeWords: Record<TenantKind, { title: string; advice: string }> = {
  CERTIFICATE: { title: "证书到期", advice: "请尽快更换" },
  CALLBACK: { title: "回调未送达", advice: "请联系第三方" },
};

/** Template variables of a notice. */
export function noticeFacts({ step, kind, place, detail }: NoticeFacts): Facts<"MALFUNCTION"> {
  if (step === "TEST") {
    const what = kind === "*" ? "故障" : `“${ruleKindText[kind]}”`;
    return {
      title: "维护消息测试",
      place,
      what: `发生${what}时将这样通知您`,
      advice: "无需处理",
    };
  }
  // The detail of an outage starts with 门店, which the place already names.
  const what = detail.replace(/^门店/, "") || ruleKindText[kind];
  const words = isTenantKind(kind) ? tenantNoticeWords[kind] : noticeWords[step];
  return { ...words, place, what };
}
