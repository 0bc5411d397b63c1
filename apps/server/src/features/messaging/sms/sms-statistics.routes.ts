// HTTP routes of SMS statistics.
import { smsStatisticsContract } from "@cabinet/contract/messaging/sms/sms-statistics.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { listTenantSms, readOverview } from "./sms-statistics.service.ts";

export const smsStatisticsRoutes = mount(smsStatisticsContract, {
  overview: (ctx, { query }) => readOverview(ctx, query),
  tenants: (ctx, { query }) => listTenantSms(ctx, query),
});
