// Calls for 业务订单: orders of third parties beside ours, and whether their state is known there.
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { AppId, Id, Nullable, OneOf, OrderId, TenantId, Timestamp } from "../../kit/fields.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { DELIVERY_STATES } from "../../messaging/webhook/webhook.rules.ts";
import { SENT_EVENTS } from "../../messaging/webhook/webhook-event.rules.ts";
import { SIZES } from "../../vocabulary/hardware.rules.ts";
import { ORDER_STATES } from "../../vocabulary/order.rules.ts";
import { ThirdPartyNo } from "./open-api.contract.ts";
import { DIFFERENCES } from "./open-api.rules.ts";

const LastWebhook = Type.Object({
  deliveryId: Id,
  type: OneOf(SENT_EVENTS),
  state: OneOf(DELIVERY_STATES),
  at: Timestamp,
  statusCode: Nullable(Type.Integer()),
});

export const BusinessOrder = Type.Object({
  orderId: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  appId: Id,
  appName: Type.String(),
  thirdPartyNo: Type.String(),
  state: OneOf(ORDER_STATES),
  difference: OneOf(DIFFERENCES),
  toldState: Nullable(OneOf(ORDER_STATES)),
  toldAt: Nullable(Timestamp),
  side: OneOf(["SINGLE", "DOUBLE"]),
  cabinetId: Id,
  cabinetSn: Type.String(),
  cabinetName: Type.String(),
  storeName: Nullable(Type.String()),
  no: Type.Integer(),
  size: OneOf(SIZES),
  createdAt: Timestamp,
  storedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
  priceFen: Type.Integer(),
  waivedFen: Type.Integer({ description: "由第三方结算或免收" }),
  lastCallback: Nullable(LastWebhook),
});
export type BusinessOrder = Static<typeof BusinessOrder>;

export const businessOrderContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/business/order/list",
    access: "business-order:read",
    summary: "业务订单列表",
    query: PageQuery({
      thirdPartyNo: Type.Optional(ThirdPartyNo),
      orderId: Type.Optional(OrderId),
      appId: Type.Optional(AppId),
      state: Type.Optional(OneOf(ORDER_STATES, "订单状态")),
      difference: Type.Optional(OneOf(DIFFERENCES, "差异")),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(BusinessOrder),
  }),
};
