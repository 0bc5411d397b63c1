// Calls about webhooks: endpoints, deliveries, replays.
import type { CallName, CallRow } from "../call-row.ts";
import { endpointDraft } from "../webhooks.ts";

const orderEvents = { ...endpointDraft, types: ["order.stored"] };
const why = "第三方要求";
const day = { from: "2026-01-01T00:00:00.000Z", to: "2036-01-01T00:00:00.000Z" };

export const webhookRows = {
  "callback.endpoints": {
    input: ({ tenantId, callbackAppId }) => ({
      query: { tenantId, appId: callbackAppId, pageSize: 100 },
    }),
  },
  "callback.endpoint": { input: ({ callbackId }) => ({ params: { id: callbackId } }) },
  "callback.create": {
    input: ({ tenantId, callbackAppId }) => ({
      body: { ...orderEvents, tenantId, appId: callbackAppId },
    }),
    isForAllStores: true,
  },
  "callback.update": {
    input: ({ callbackId, callbackAppId }) => ({
      params: { id: callbackId },
      body: { ...orderEvents, appId: callbackAppId, editVersion: 1 },
    }),
    isForAllStores: true,
  },
  "callback.enable": {
    input: ({ pausedCallbackId }) => ({ params: { id: pausedCallbackId } }),
    isForAllStores: true,
  },
  "callback.disable": {
    input: ({ callbackId }) => ({ params: { id: callbackId }, body: { reason: why } }),
    isForAllStores: true,
  },
  "callback.remove": {
    input: ({ callbackId }) => ({ params: { id: callbackId }, query: { reason: why } }),
    isForAllStores: true,
  },
  "callback.rotate": {
    input: ({ callbackId }) => ({
      params: { id: callbackId },
      body: { overlapHours: 24 },
    }),
    isForAllStores: true,
  },
  "callback.test": {
    input: ({ callbackId }) => ({ params: { id: callbackId } }),
    isForAllStores: true,
  },
  "callback.probe": {
    input: ({ callbackId }) => ({ params: { id: callbackId } }),
    isForAllStores: true,
  },
  "callback.deliveries": {
    input: ({ tenantId, callbackId, callbackAppId, orderId }) => ({
      query: { tenantId, endpointId: callbackId, appId: callbackAppId, orderId, pageSize: 100 },
    }),
  },
  "callback.delivery": {
    input: ({ callbackDeliveryId }) => ({ params: { id: callbackDeliveryId } }),
  },
  "callback.replay": {
    input: ({ callbackDeliveryId }) => ({ params: { id: callbackDeliveryId } }),
  },
  "callback.previewReplay": {
    input: ({ callbackId }) => ({ body: { endpointId: callbackId, ...day, kind: "ALL" } }),
    isForAllStores: true,
  },
  "callback.replayWindow": {
    input: ({ callbackId }) => ({
      body: { endpointId: callbackId, ...day, kind: "ALL", reason: why },
    }),
    isForAllStores: true,
  },
} satisfies Partial<Record<CallName, CallRow>>;
