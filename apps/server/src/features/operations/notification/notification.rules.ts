// Notifications in words: each source's row as an entry of the notification centre.

import {
  EXPIRING_DAYS,
  serviceReminders,
} from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type { OwnSignIn } from "@cabinet/contract/identity/account/account.contract.ts";
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import type { ReceivedAnnouncement } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { announcementName } from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import type { OwnNotice } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import {
  isTenantKind,
  type NoticeStep,
  ruleKindText,
  type TenantKind,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import { journalKindText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { Review } from "@cabinet/contract/money/review/review.contract.ts";
import { REVIEW_HOURS, reviewStateText } from "@cabinet/contract/money/review/review.rules.ts";
import type { Malfunction } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { malfunctionTitle } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { Notification } from "@cabinet/contract/operations/notification/notification.contract.ts";
import {
  NOTIFICATION_SEVERITIES,
  type NotificationKind,
} from "@cabinet/contract/operations/notification/notification.rules.ts";

const words = (...parts: readonly (string | null)[]) => parts.filter(Boolean).join(" ");

const stepSuffix: Readonly<Record<NoticeStep, string>> = {
  FIRST: "",
  ESCALATION: "：仍无人受理",
  ASSIGNED: "：请您受理",
  TEST: "",
};

const kindOfTenant: Readonly<Record<TenantKind, NotificationKind>> = {
  CERTIFICATE: "CERTIFICATE",
  CALLBACK: "WEBHOOK",
};

type OwnNoticeRow = OwnNotice & { isSevere: boolean };

/** A notice without a malfunction is news: nobody accepts it. `isOpen`: its webhook still fails. */
export function fromNotice({ isSevere, ...notice }: OwnNoticeRow, isOpen: boolean): Notification {
  const { id, step, kind, place, detail, malfunctionId, cabinetId, createdAt, isRead } = notice;
  const isTest = step === "TEST";
  const what = malfunctionId !== null && cabinetId === null ? "门店断网" : ruleKindText[kind];
  return {
    key: `notice:${id}`,
    kind: isTest ? "TEST" : isTenantKind(kind) ? kindOfTenant[kind] : "MALFUNCTION",
    group: malfunctionId === null && !isOpen ? "NEWS" : "OPEN",
    severity: isTest ? "INFO" : isSevere ? "SEVERE" : "WARNING",
    title: isTest ? "测试消息" : `${what}${stepSuffix[step]}`,
    text: words(place, detail || (isTest ? what : "")),
    at: createdAt,
    isUnread: !isRead,
    recordId: malfunctionId,
    notice,
  };
}

export interface FailingWebhook {
  name: string;
  /** The place in notices about it. */
  place: string;
  /** The account's own tenant: only its notices reach the account. */
  isOwn: boolean;
  at: string;
}

/**
 * Lists each failing webhook once: its latest notice stays to be dealt with, and the state counts
 * those without one. Both lists have the latest first.
 */
export function mergeWebhooks(
  notices: readonly OwnNoticeRow[],
  failing: readonly FailingWebhook[],
): { notices: OwnNoticeRow[]; open: ReadonlySet<number>; states: StateRow[] } {
  const own = new Set(failing.flatMap(({ place, isOwn }) => (isOwn ? [place] : [])));
  const isOfFailing = ({ kind, step, place }: OwnNoticeRow) =>
    kind === "CALLBACK" && step !== "TEST" && own.has(place);
  const latest = new Map(
    notices
      .filter(isOfFailing)
      .toReversed()
      .map((row) => [row.place, row.id]),
  );
  const open = new Set(latest.values());
  const rest = failing.filter(({ place, isOwn }) => !isOwn || !latest.has(place));
  const [first] = rest;
  return {
    notices: notices.filter((row) => open.has(row.id) || !isOfFailing(row)),
    open,
    states: first
      ? [
          {
            kind: "WEBHOOK",
            count: rest.length,
            name: rest.length === 1 ? first.name : "",
            at: first.at,
          },
        ]
      : [],
  };
}

interface StateContext {
  isUnread: boolean;
  /** Platform staff see several tenants. */
  isPlatform: boolean;
}

export function fromMalfunction(
  row: Malfunction,
  { isUnread, isPlatform }: StateContext,
): Notification {
  const no = row.compartmentNo === null ? "" : `${row.compartmentNo} 号格口`;
  return {
    key: `malfunction:${row.id}`,
    kind: "MALFUNCTION",
    group: "OPEN",
    severity: "SEVERE",
    title: malfunctionTitle(row),
    text: words(isPlatform ? row.tenantName : "", row.cabinetName ?? row.storeName, no),
    at: row.createdAt,
    isUnread,
    recordId: row.id,
    notice: null,
  };
}

export interface StateRow {
  kind: Exclude<
    NotificationKind,
    "MALFUNCTION" | "CERTIFICATE" | "ANNOUNCEMENT" | "SIGN_IN" | "REVIEW_RESULT" | "TEST"
  >;
  count: number;
  /** Name of the only endpoint or tenant, or the nearest last day; empty for others. */
  name: string;
  at: string;
}

const serviceText = (field: "expiring" | "expired" | "stopped", count: number) =>
  serviceReminders({ expiring: 0, expired: 0, stopped: 0, [field]: count })[0]?.text ?? "";

const stateWords: Readonly<
  Record<StateRow["kind"], (row: StateRow, isPlatform: boolean) => [title: string, text: string]>
> = {
  MORE_MALFUNCTIONS: ({ count }) => [`还有 ${count} 条严重故障`, ""],
  WEBHOOK: ({ count, name }) => ["回调地址连续失败", name || `${count} 个地址`],
  SMS: ({ count, name }, isPlatform) => [
    "短信余额不足",
    isPlatform ? name || `${count} 个租户` : "请联系平台充值",
  ],
  SMS_CHANNEL: () => ["短信通道异常", "短信发不出去"],
  SERVICE_EXPIRING: ({ count, name }) => [
    "设备服务即将到期",
    `${serviceText("expiring", count)}，最近到期日 ${name}`,
  ],
  SERVICE_EXPIRED: ({ count }) => ["设备服务已到期", serviceText("expired", count)],
  SERVICE_STOPPED: ({ count }) => ["设备服务已停止", serviceText("stopped", count)],
  TENANT_EXPIRING: ({ count, name }) => [
    "租户即将到期",
    `${name || `${count} 个租户`}，${EXPIRING_DAYS} 天内到期`,
  ],
  TENANT_EXPIRED: ({ count, name }) => ["租户已到期", name || `${count} 个租户`],
  REVIEW: ({ count }) => [
    `${count} 笔资金操作待复核`,
    `同意后立即执行，提交后 ${REVIEW_HOURS} 小时没有复核的作废`,
  ],
  FACTOR: ({ name }) => [
    `${name} 起须先设置两步验证`,
    "个人设置 › 账号与偏好：手机上的验证器，或通行密钥",
  ],
  OWN_TERM: ({ name }) => ["本租户的服务即将到期", `${name} 到期，请联系平台续期`],
};

export function fromState(row: StateRow, { isUnread, isPlatform }: StateContext): Notification {
  const { kind, at } = row;
  const [title, text] = stateWords[kind](row, isPlatform);
  const isSevere = kind === "SMS_CHANNEL" || kind === "MORE_MALFUNCTIONS";
  return {
    ...{ key: kind, kind, group: "OPEN", severity: isSevere ? "SEVERE" : "WARNING" },
    ...{ title, text, at, isUnread, recordId: null, notice: null },
  };
}

export type ReviewResult = Pick<
  Review,
  "id" | "kind" | "principalFen" | "bonusFen" | "deciderName" | "state"
> & { at: string };

/** News for the requester: the outcome of a review. */
export function fromResult(
  { id, kind, principalFen, bonusFen, state, deciderName, at }: ReviewResult,
  { isUnread }: StateContext,
): Notification {
  const what = `${journalKindText[kind]} ${yuanOfFen(Math.abs(principalFen + bonusFen))} 元`;
  return {
    ...{ key: `review:${id}`, kind: "REVIEW_RESULT", group: "NEWS" },
    severity: state === "APPROVED" ? "INFO" : "WARNING",
    title: `资金操作${reviewStateText[state]}`,
    text: words(what, state === "EXPIRED" ? "没有人复核，未执行" : deciderName),
    ...{ at, isUnread, recordId: id, notice: null },
  };
}

export function fromAnnouncement(row: ReceivedAnnouncement): Notification {
  return {
    ...{ key: `announcement:${row.id}`, kind: "ANNOUNCEMENT", group: "NEWS", severity: "INFO" },
    title: announcementName(row),
    text: row.isFromPlatform ? "平台公告" : "本租户公告",
    at: row.publishAt,
    ...{ isUnread: !row.isRead, recordId: row.id, notice: null },
  };
}

/** The server keeps no mark that it was seen: a thief of the password could set it, too. */
export function fromSignIn({ id, at, device, address }: OwnSignIn): Notification {
  return {
    ...{ key: `sign-in:${id}`, kind: "SIGN_IN", group: "NEWS", severity: "WARNING" },
    title: "新设备登录",
    text: `${device}，${address ?? "地址未知"}；如非本人，请修改密码`,
    ...{ at, isUnread: true, recordId: id, notice: null },
  };
}

const rankOf = ({ severity }: Notification) => NOTIFICATION_SEVERITIES.indexOf(severity);

/** Most severe first, then newest. */
export function inOrder(list: readonly Notification[]): Notification[] {
  return list.toSorted((a, b) => rankOf(a) - rankOf(b) || b.at.localeCompare(a.at));
}
