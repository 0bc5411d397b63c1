// Calls about message templates and subscriptions.
import type { CallName, CallRow } from "../call-row.ts";
import { smsTemplate, subscribeTemplate } from "../templates.ts";

const which = { side: "SINGLE", scene: "PICKUP_CODE" };

export const templateRows = {
  "app-subscription.wanted": { input: () => ({ query: { side: "SINGLE", role: "RECIPIENT" } }) },
  "app-subscription.report": {
    input: () => ({ body: { accepted: [subscribeTemplate.templateId] } }),
  },
  "template.list": { input: ({ tenantId }) => ({ query: { tenantId, side: "SINGLE" } }) },
  "template.save": {
    input: ({ tenantId }) => ({
      body: {
        ...{ ...which, tenantId, plan: "BOTH", sms: smsTemplate, subscribe: subscribeTemplate },
        editVersion: 1,
      },
    }),
    isForAllStores: true,
  },
  "template.reset": {
    input: ({ tenantId }) => ({ query: { ...which, tenantId } }),
    isForAllStores: true,
  },
  "template.test": {
    input: ({ tenantId }) => ({
      body: { ...which, tenantId, channel: "SMS", phone: "13800138000" },
    }),
    isForAllStores: true,
  },
  "template.catalog": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "template.fetchCatalog": {
    input: ({ tenantId }) => ({ body: { tenantId } }),
    isForAllStores: true,
  },
  "template.messages": {
    input: ({ tenantId, orderId }) => ({ query: { tenantId, orderId, pageSize: 100 } }),
  },
} satisfies Partial<Record<CallName, CallRow>>;
