// Calls for the orders behind a malfunction (受影响的订单): the list, and one notice to each recipient whose goods wait there.
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { Id, IdParams, Nullable, OneOf, Timestamp } from "../../kit/fields.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { CompartmentNo, Side } from "../../vocabulary/hardware.ts";
import { ORDER_STATES } from "../../vocabulary/order.rules.ts";
import { OrderPerson } from "./order.contract.ts";

export const AffectedOrder = Type.Object({
  id: Id,
  side: Side,
  cabinetName: Type.String(),
  compartmentNo: CompartmentNo,
  state: OneOf(ORDER_STATES),
  recipient: OrderPerson,
  storedAt: Nullable(Timestamp),
  notifiedAt: { ...Nullable(Timestamp), description: "这次故障已通知取件人" },
});
export type AffectedOrder = Static<typeof AffectedOrder>;

export const affectedOrderContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/preservation/{id}/order",
    access: "order:read",
    summary: "故障影响的订单：未恢复的设备或格口上进行中的订单，按设备和格口排列",
    params: IdParams,
    query: PageQuery({}),
    reply: Type.Object({
      ...PageOf(AffectedOrder).properties,
      toNotify: Type.Integer({ description: "物品在柜、还没有通知的订单" }),
    }),
  }),
  notify: endpoint({
    method: "POST",
    path: "/admin/v1/preservation/{id}/notify",
    access: "order:write",
    risk: "routine",
    summary: "通知取件人：物品暂时取不出。同一订单每次故障只通知一次",
    params: IdParams,
    once: true,
    reply: Type.Object({ notified: Type.Integer({ description: "这一次通知的订单" }) }),
  }),
};
