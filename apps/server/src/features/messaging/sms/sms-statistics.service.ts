// 统计概览: messages sent and delivered, their cost, and the runway of the credit.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { smsStatisticsContract } from "@cabinet/contract/messaging/sms/sms-statistics.contract.ts";
import { runwayOf } from "@cabinet/contract/messaging/sms/sms-statistics.rules.ts";
import {
  MAX_DAYS,
  spanBefore,
  spanOf,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { findSmsChannel } from "./sms-channel.sql.ts";
import * as repo from "./sms-statistics.sql.ts";

type Contract = typeof smsStatisticsContract;

export async function readOverview(
  ctx: Ctx,
  { tenantId, ...days }: Input<Contract["overview"]>["query"],
): Promise<Reply<Contract["overview"]>> {
  const { db, session } = ctx;
  if (tenantId !== undefined) await requireTenant(ctx, tenantId);
  const span = spanOf(days, Date.now()) ?? refuse("DAYS_INVALID", { days: MAX_DAYS });
  const [channel, use, totals, before, byDay, byScene, failures] = await Promise.all([
    findSmsChannel(db),
    repo.findSmsUse(db, session, tenantId),
    repo.countSms(db, session, span, tenantId),
    repo.countSms(db, session, spanBefore(span), tenantId),
    repo.countSmsByDay(db, session, span, tenantId),
    repo.countSmsByScenario(db, session, span, tenantId),
    repo.findSmsFailures(db, session, span, tenantId),
  ]);
  return {
    ...span,
    carrier: channel?.isOn ? channel.carrier : null,
    runway: { left: use.left, held: use.held, ...runwayOf(use.left, use.used, use.days) },
    ...{ totals, before, byDay, byScene, failures },
  };
}

export async function listTenantSms(
  { db, session }: Ctx,
  query: Input<Contract["tenants"]>["query"],
): Promise<Reply<Contract["tenants"]>> {
  const page = await repo.findTenantUses(db, session, query);
  const list = page.list.map(({ used, days, ...tenant }) => ({
    ...tenant,
    ...runwayOf(tenant.left, used, days),
  }));
  return { ...page, list };
}
