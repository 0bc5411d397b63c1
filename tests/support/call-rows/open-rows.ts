// Calls of the open API, and console calls about applications and their calls.
import { type CallName, type CallRow, nothing, reason } from "../call-row.ts";

const app = {
  name: "顺路快递",
  scopes: ["order:read", "order:write"],
  networks: ["203.0.113.0/24"],
  ratePerMinute: 600,
  reserveSharePercent: 33,
  isSettling: false,
  remark: "",
};

export const openRows = {
  "open-api.whoAmI": { input: nothing },
  "open-api.createOrder": {
    input: () => ({
      body: {
        ...{ thirdPartyNo: "SF10001", cabinetSn: "NOBODY0001", size: "M" },
        recipientPhone: "13800000000",
      },
    }),
    refusal: "设备不存在",
  },
  "open-api.findOrder": {
    input: () => ({ query: { thirdPartyNo: "SF404" } }),
    refusal: "订单不存在",
  },
  "open-api.order": { input: ({ orderId }) => ({ params: { id: orderId } }) },
  "open-api.orders": { input: () => ({ query: { limit: 100 } }) },
  "open-api.events": { input: () => ({ query: { limit: 100 } }) },
  "open-api.replayEvents": {
    input: () => ({ body: { fromSeq: 1 } }),
    refusal: "没有启用中的回调地址",
  },
  "open-api.cancelOrder": {
    input: ({ orderId }) => ({ params: { id: orderId } }),
    refusal: "不能取消",
  },
  "open-api.openDoor": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { purpose: "PICKUP" } }),
  },
  "open-api.resendCode": { input: ({ orderId }) => ({ params: { id: orderId } }) },
  "open-api.opening": {
    input: ({ commandId }) => ({ params: { id: commandId } }),
    refusal: "开门记录不存在",
  },
  "open-api.cabinets": { input: () => ({ query: { limit: 100 } }) },
  "open-api.cabinet": { input: () => ({ params: { sn: "NOBODY0001" } }), refusal: "设备不存在" },
  "open-app.list": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "open-app.options": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "open-app.create": {
    input: ({ tenantId }) => ({ body: { ...app, tenantId } }),
    isForAllStores: true,
  },
  "open-app.update": {
    input: ({ openAppId }) => ({ params: { id: openAppId }, body: { ...app, name: "改名" } }),
    isForAllStores: true,
  },
  "open-app.disable": {
    input: ({ openAppId }) => ({ params: { id: openAppId }, body: { reason } }),
    isForAllStores: true,
  },
  "open-app.enable": {
    input: ({ disabledOpenAppId }) => ({ params: { id: disabledOpenAppId } }),
    isForAllStores: true,
  },
  "open-app.issue": {
    input: ({ openAppId }) => ({ params: { id: openAppId }, body: { overlapHours: 24 } }),
    isForAllStores: true,
  },
  "open-app.revoke": {
    input: ({ openAppId }) => ({
      params: { id: openAppId },
      body: { kid: "k261122-tests", reason },
    }),
    isForAllStores: true,
  },
  "open-app.debug": {
    input: () => ({
      body: {
        ...{ method: "GET", host: "cabinet.example.cn", target: "/open/v1/app" },
        ...{ contentType: "", idempotencyKey: "", authorization: "CAB1-HMAC-SHA256", body: "" },
      },
    }),
  },
  "open-call.list": {
    input: ({ tenantId, orderId, openAppId }) => ({
      query: { tenantId, orderId, appId: openAppId, pageSize: 100 },
    }),
  },
  "open-call.get": { input: ({ openCallId }) => ({ params: { id: openCallId } }) },
  "business-order.list": {
    input: ({ tenantId, orderId, openAppId }) => ({
      query: { tenantId, orderId, appId: openAppId, pageSize: 100 },
    }),
  },
} satisfies Partial<Record<CallName, CallRow>>;
