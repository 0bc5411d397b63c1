// HTTP routes of message templates, and the app's routes of subscriptions.
import {
  appSubscriptionContract,
  templateContract,
} from "@cabinet/contract/messaging/template/template.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { askForCatalog, getCatalog } from "./catalog.service.ts";
import { listMessages } from "./subscribe-message.service.ts";
import { reportSubscriptions, wantedSubscriptions } from "./subscription.service.ts";
import { listTemplates, resetTemplate, saveTemplate, sendTest } from "./template.service.ts";

export const templateRoutes = mount(templateContract, {
  list: (ctx, { query }) => listTemplates(ctx, query),
  save: (ctx, { body }) => saveTemplate(ctx, body),
  reset: (ctx, { query }) => resetTemplate(ctx, query),
  test: (ctx, { body }) => sendTest(ctx, body),
  catalog: (ctx, { query }) => getCatalog(ctx, query.tenantId),
  fetchCatalog: (ctx, { body }) => askForCatalog(ctx, body.tenantId),
  messages: (ctx, { query }) => listMessages(ctx, query),
});

export const appSubscriptionRoutes = mount(appSubscriptionContract, {
  wanted: (ctx, { query }) => wantedSubscriptions(ctx, query),
  report: (ctx, { body }) => reportSubscriptions(ctx, body),
});
