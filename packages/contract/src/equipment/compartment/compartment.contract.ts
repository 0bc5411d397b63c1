// Calls for compartments (格口): current state, and operator actions on one door.
import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { Id, IdParams, Nullable, OneOf, Reason, Strict, Timestamp } from "../../kit/fields.ts";
import { DOOR_SIDES } from "../../vocabulary/hardware.rules.ts";
import { CompartmentNo, CompartmentState } from "../../vocabulary/hardware.ts";
import { ORDER_STATES } from "../../vocabulary/order.rules.ts";
import { STOCK_FINDINGS, UNAVAILABLE_REASONS } from "./compartment.rules.ts";

/** Order that occupies a compartment; its recipient with a masked phone, as in lists. */
export const CompartmentOrder = Type.Object({
  id: Id,
  state: OneOf(ORDER_STATES),
  recipientPhone: Type.String({ description: "掩码" }),
  createdAt: Timestamp,
  storedAt: Nullable(Timestamp),
  depositUntil: Nullable(Timestamp),
  overdueAt: Nullable(Timestamp),
  isInDoubt: Type.Boolean({ description: "开门结果待核实" }),
});
export type CompartmentOrder = Static<typeof CompartmentOrder>;

export const Compartment = Type.Object({
  ...CompartmentState.properties,
  column: Type.Integer({ description: "从左数，自 1 起" }),
  row: Type.Integer({ description: "从上数，自 1 起" }),
  rowSpan: Type.Integer(),
  boardAddress: Type.String(),
  unavailableReason: Nullable(OneOf(UNAVAILABLE_REASONS)),
  order: Nullable(CompartmentOrder),
});
export type Compartment = Static<typeof Compartment>;

export const CompartmentEvent = Type.Object({
  id: Id,
  kind: Type.String(),
  text: Type.String(),
  no: Nullable(CompartmentNo),
  side: Nullable(OneOf(DOOR_SIDES)),
  deviceAt: Nullable(Timestamp),
  receivedAt: Timestamp,
});
export type CompartmentEvent = Static<typeof CompartmentEvent>;

const CompartmentParams = Strict({ id: Id, no: CompartmentNo });

export const compartmentContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/locker/{id}/compartments",
    access: "compartment:read",
    summary: "设备的全部格口",
    params: IdParams,
    reply: Type.Array(Compartment),
  }),
  events: endpoint({
    method: "GET",
    path: "/admin/v1/locker/{id}/compartments/{no}/events",
    access: "compartment:read",
    summary: "格口最近事件",
    params: CompartmentParams,
    reply: Type.Array(CompartmentEvent),
  }),
  enable: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/{id}/compartments/{no}/enable",
    access: "compartment:write",
    risk: "routine",
    summary: "启用格口",
    params: CompartmentParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  disable: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/{id}/compartments/{no}/disable",
    access: "compartment:write",
    risk: "routine",
    summary: "停用格口",
    params: CompartmentParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  markFault: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/{id}/compartments/{no}/fault",
    access: "compartment:write",
    risk: "routine",
    summary: "标记格口故障",
    params: CompartmentParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  clear: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/{id}/compartments/{no}/clear",
    access: "compartment:clear",
    risk: "routine",
    pressed: true,
    summary: "清柜：确认格口内物品已取出",
    params: CompartmentParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  saveStockAudit: endpoint({
    method: "POST",
    path: "/admin/v1/locker/{id}/stock-audit",
    access: "compartment:clear",
    risk: "routine",
    pressed: true,
    summary: "提交盘点结果",
    params: IdParams,
    body: Strict({
      findings: Type.Array(
        Strict({
          no: CompartmentNo,
          found: OneOf(STOCK_FINDINGS, "现场"),
          correct: Type.Boolean({ title: "按现场更正" }),
          note: Type.Optional(Type.String({ title: "备注", maxLength: 200 })),
        }),
        { title: "盘点格口", minItems: 1, maxItems: 999 },
      ),
    }),
    reply: Type.Object({
      audited: Type.Integer(),
      contradictory: Type.Integer(),
      corrected: Type.Integer(),
    }),
  }),
};
