// Display texts of a maintenance rule: recipients, channels, quiet hours, escalation.
import type {
  MaintenanceRule,
  NoticeAccount,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import {
  isTenantKind,
  type RuleSource,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";

/** Source of a kind's rule; the general rule `*` is the tenant's or the built-in one (`HOUSE`). */
export function sourceText({ kind, source }: MaintenanceRule): string {
  if (kind === "*") return { HOUSE: "系统默认", OWN: "已设置", TENANT: "已设置" }[source];
  return ownText[source];
}

const ownText: Record<RuleSource, string> = {
  OWN: "单独设置",
  TENANT: "同默认规则",
  HOUSE: "同默认规则",
};

export const namesText = (accounts: readonly NoticeAccount[]) =>
  accounts.map(({ name, isDisabled }) => (isDisabled ? `${name}（已停用）` : name)).join("、");

export function recipientsText(rule: MaintenanceRule): string {
  if (isTenantKind(rule.kind)) return namesText(rule.recipients) || "可修改本配置的账号";
  return [rule.toCaretakers && "运维人员", rule.toManager && "负责人", namesText(rule.recipients)]
    .filter(Boolean)
    .join("、");
}

export function channelsText({ byConsole, bySms }: MaintenanceRule): string {
  return [byConsole && "后台", bySms && "短信"].filter(Boolean).join("、");
}

export function quietText({ quietFrom, quietTo }: MaintenanceRule): string {
  if (quietFrom === null || quietTo === null) return "不限";
  return `${quietFrom}–${quietTo > quietFrom ? "" : "次日 "}${quietTo}`;
}

/** `45 分钟`, `2 小时`, `1 小时 30 分钟`, `3 天` */
function minutesText(minutes: number): string {
  if (minutes < 60) return `${minutes} 分钟`;
  if (minutes % 1_440 === 0) return `${minutes / 1_440} 天`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} 小时${rest > 0 ? ` ${rest} 分钟` : ""}`;
}

export function calmText({ calmMinutes }: MaintenanceRule): string {
  return calmMinutes === 0 ? "每次都通知" : minutesText(calmMinutes);
}

export function escalationText({ kind, escalateMinutes, escalation }: MaintenanceRule): string {
  if (escalateMinutes === null || isTenantKind(kind)) return "不升级";
  return `${minutesText(escalateMinutes)}无人受理，通知${namesText(escalation) || "（未选择账号）"}`;
}
