// Routes for maintenance messages.
import { maintenanceMessageContract } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { listNotices } from "./maintenance-notice.service.ts";
import {
  listAccounts,
  listRules,
  planOf,
  resetRule,
  saveRule,
  sendTest,
} from "./maintenance-rule.service.ts";

export const maintenanceMessageRoutes = mount(maintenanceMessageContract, {
  rules: (ctx, { query }) => listRules(ctx, query.tenantId),
  accounts: (ctx, { query }) => listAccounts(ctx, query.tenantId),
  saveRule: (ctx, { body }) => saveRule(ctx, body),
  resetRule: (ctx, { query }) => resetRule(ctx, query),
  plan: (ctx, { query }) => planOf(ctx, query),
  test: (ctx, { body }) => sendTest(ctx, body),
  notices: (ctx, { query }) => listNotices(ctx, query),
});
