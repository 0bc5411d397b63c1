// Display of a tenant: state, usage of its limits, functions.
import type { Tenant } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import {
  type TenantState,
  tenantStateText,
} from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { daysLeftText } from "../../../domain/cabinet/cabinet-service.tsx";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import "./tenancy.css";

const tenantTone: Record<TenantState, Tone> = {
  ACTIVE: "good",
  EXPIRING: "doubtful",
  EXPIRED: "bad",
  SUSPENDED: "bad",
  DELETED: "quiet",
};

export function TenantStatus({ tenant }: { tenant: Tenant }) {
  return (
    <Status tone={tenantTone[tenant.state]} title={stateNote(tenant) ?? ""}>
      {tenantStateText[tenant.state]}
    </Status>
  );
}

/** Reason or time of the state; null if the state needs no note. */
function stateNote({ state, suspendReason, suspendedAt, deletedAt }: Tenant): string | null {
  if (state === "SUSPENDED") return `${formatDateTime(suspendedAt)} 起：${suspendReason ?? ""}`;
  return state === "DELETED" ? `${formatDateTime(deletedAt)} 删除` : null;
}

/** `2026-12-31（还有 40 天）`, or `长期有效` without an end. */
export function expiryText({ expiresOn, daysLeft }: Tenant): string {
  if (expiresOn === null || daysLeft === null) return "长期有效";
  const left = daysLeftText(daysLeft);
  return `${expiresOn}（${daysLeft > 0 ? `还有 ${left}` : left}）`;
}

/** `3 / 20`, or `3` without a limit. */
function usedText(count: number, max: number | null): string {
  return max === null ? formatNumber(count) : `${formatNumber(count)} / ${formatNumber(max)}`;
}

interface UseOfLimitProps {
  count: number;
  max: number | null;
}

export function UseOfLimit({ count, max }: UseOfLimitProps) {
  const isFull = max !== null && count >= max;
  return (
    <span
      className="tenant-use"
      data-full={isFull || undefined}
      title={max === null ? "不限数量" : isFull ? "已达上限" : `还可增加 ${max - count}`}
    >
      {usedText(count, max)}
    </span>
  );
}
