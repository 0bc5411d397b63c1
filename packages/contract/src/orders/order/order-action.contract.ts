// Calls for operator actions on one order (订单): open its door, resend its code, end it, waive its
// fee.
import { Type } from "typebox";
import { Command } from "../../fleet/command/command.contract.ts";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { IdParams, OneOf, Reason, Strict } from "../../kit/fields.ts";
import { OPEN_PURPOSES } from "./order.rules.ts";

/** Faults at the compartment of an order that needs a person; a subset of the malfunction kinds. */
export const ORDER_FAULTS = [
  "OPEN_FAILED",
  "OCCUPANCY_ABNORMAL",
  "DOOR_LEFT_OPEN",
  "BOARD_FAULT",
  "OTHER",
] as const;
export type OrderFault = (typeof ORDER_FAULTS)[number];
export const orderFaultText: Record<OrderFault, string> = {
  OPEN_FAILED: "开门失败",
  OCCUPANCY_ABNORMAL: "疑似有物",
  DOOR_LEFT_OPEN: "箱门长时间未关",
  BOARD_FAULT: "驱动板异常",
  OTHER: "其他",
};

/** For every call that opens a door again: the result of the last opening is unknown, and a person has looked. */
export const AfterDoubt = Type.Optional(
  Type.Boolean({
    title: "确认再开一次",
    description: "上一次开门的结果未知时，只有人看过箱门、决定再开一次，才填 true；程序不要自动填",
  }),
);

const because = Strict({ reason: Reason });
/** True: the amount still owed is waived instead of collected. */
const waives = Type.Boolean({ title: "免除待付费用" });

export const orderActionContract = {
  open: endpoint({
    method: "POST",
    path: "/admin/v1/order/{id}/open",
    access: "order:open",
    risk: "routine",
    load: "critical",
    pressed: true,
    summary: "按订单开门",
    params: IdParams,
    body: Strict({
      purpose: OneOf(OPEN_PURPOSES, "开门用途"),
      waives,
      afterDoubt: AfterDoubt,
      reason: Reason,
    }),
    once: true,
    reply: Command,
  }),
  decideOpening: endpoint({
    method: "PUT",
    path: "/admin/v1/order/{id}/opening",
    access: "order:write",
    risk: "routine",
    load: "critical",
    pressed: true,
    summary: "确认开门结果",
    params: IdParams,
    body: Strict({ isOpened: Type.Boolean({ title: "箱门是否打开过" }), reason: Reason }),
    reply: Nothing,
  }),
  resendCode: endpoint({
    method: "POST",
    path: "/admin/v1/order/{id}/code",
    access: "order:write",
    risk: "routine",
    pressed: true,
    summary: "重发取件码",
    params: IdParams,
    body: because,
    once: "always",
    reply: Nothing,
  }),
  extend: endpoint({
    method: "PUT",
    path: "/admin/v1/order/{id}/extend",
    access: "order:write",
    risk: "routine",
    summary: "延长存放",
    params: IdParams,
    body: Strict({
      hours: Type.Integer({ title: "延长小时数", minimum: 1, maximum: 720 }),
      reason: Reason,
    }),
    once: true,
    reply: Nothing,
  }),
  complete: endpoint({
    method: "PUT",
    path: "/admin/v1/order/{id}/complete",
    access: "order:write",
    risk: "routine",
    pressed: true,
    summary: "强制完成订单",
    params: IdParams,
    body: Strict({
      chargeFen: Type.Integer({ title: "收取金额", minimum: 0, maximum: 10_000_000 }),
      reason: Reason,
    }),
    reply: Nothing,
  }),
  cancel: endpoint({
    method: "PUT",
    path: "/admin/v1/order/{id}/cancel",
    access: "order:write",
    risk: "routine",
    pressed: true,
    summary: "取消订单",
    params: IdParams,
    body: because,
    reply: Nothing,
  }),
  refund: endpoint({
    method: "PUT",
    path: "/admin/v1/order/{id}/refund",
    access: "order:refund",
    risk: "money-by-sum",
    pressed: true,
    summary: "订单退款",
    params: IdParams,
    body: Strict({
      amountFen: Type.Integer({ title: "退款金额", minimum: 1, maximum: 10_000_000 }),
      reason: Reason,
    }),
    once: "always",
    reply: Nothing,
  }),
  markException: endpoint({
    method: "PUT",
    path: "/admin/v1/order/{id}/exception",
    access: "order:write",
    risk: "routine",
    summary: "转故障：订单转为异常并登记故障",
    params: IdParams,
    body: Strict({ fault: OneOf(ORDER_FAULTS, "故障类型"), reason: Reason }),
    reply: Nothing,
  }),
};
