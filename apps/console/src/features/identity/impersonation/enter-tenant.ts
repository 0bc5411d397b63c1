// Row action that starts an impersonation of a tenant, with explanation and reason.

import { impersonationContract } from "@cabinet/contract/identity/impersonation/impersonation.contract.ts";
import type { TenantOption } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import { call } from "../../../kit/api.ts";
import { enterImpersonation } from "../../../kit/session.ts";
import type { ConfirmOptions } from "../../../ui/display/action.tsx";

export const IMPERSONATION_REASONS = ["客户反映问题，协助排查", "核对租户的设置", "例行巡检"];
export const IMPERSONATION_EFFECT =
  "以只读方式查看该租户的全部页面，最长 60 分钟；不能修改任何内容。进入和退出都记入该租户的操作审计。";

/** Starts the impersonation; the console restarts in that tenant in all browser tabs. */
export async function enterTenant(id: number, reason: string): Promise<void> {
  const visit = await call(impersonationContract.start, { params: { id }, body: { reason } });
  enterImpersonation(visit, `${location.pathname}${location.search}`);
}

export function enterQuestion({ id, name }: TenantOption): ConfirmOptions<void> {
  return {
    title: `进入租户：${name}`,
    effect: IMPERSONATION_EFFECT,
    confirm: "进入查看",
    reasons: IMPERSONATION_REASONS,
    run: (reason) => enterTenant(id, reason),
  };
}
