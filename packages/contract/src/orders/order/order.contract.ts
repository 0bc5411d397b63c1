// Calls for orders (订单) in the console: the list of either side, one order in full, its timeline.

import { type Static, Type } from "typebox";
import { CONNECTIVITIES, LIFECYCLES } from "../../fleet/cabinet/cabinet.rules.ts";
import { Command } from "../../fleet/command/command.contract.ts";
import { endpoint } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  Nullable,
  OneOf,
  OrderId,
  PersonPhonePart,
  Reason,
  StoreId,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery, SumsOf } from "../../kit/pagination.ts";
import { SmsMessage } from "../../messaging/sms/sms.contract.ts";
import { SubscribeMessage } from "../../messaging/template/template.contract.ts";
import { PlainPricing } from "../../money/pricing/pricing.contract.ts";
import { PRICING_SCOPES } from "../../money/pricing/pricing.rules.ts";
import { SIZES } from "../../vocabulary/hardware.rules.ts";
import { CompartmentNo, CompartmentState, Side } from "../../vocabulary/hardware.ts";
import { ORDER_STATES } from "../../vocabulary/order.rules.ts";
import { PAY_STATUSES } from "./order.rules.ts";

const fen = (description?: string) => Type.Integer(description ? { description } : {});

/** Rider or recipient as other people see them. */
export const OrderPerson = named(
  "OrderPerson",
  Type.Object({
    id: Id,
    name: Type.String(),
    phone: Type.String({ description: "已隐藏中间四位" }),
  }),
);
export type OrderPerson = Static<typeof OrderPerson>;

export const Order = Type.Object({
  /** The order's id, displayed as 订单号. */
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  side: Side,
  createdAt: Timestamp,
  cabinetId: Id,
  cabinetSn: Type.String(),
  cabinetName: Type.String(),
  /** Store of the cabinet when the order was created. */
  storeId: Nullable(Id),
  storeName: Nullable(Type.String()),
  compartmentNo: CompartmentNo,
  size: OneOf(SIZES),
  state: OneOf(ORDER_STATES),
  payStatus: OneOf(PAY_STATUSES),
  thirdPartyNo: Nullable(Type.String()),
  rider: Nullable(OrderPerson),
  recipient: OrderPerson,
  itemNote: Type.String(),
  storedAt: Nullable(Timestamp),
  overdueAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
  /** Minutes that the goods lay there, or have lain so far; null before they are deposited. */
  stayMinutes: Nullable(Type.Integer()),
  priceFen: fen("存放费用；物品还在柜内时算到此刻"),
  coveredFen: fen(),
  waivedFen: fen(),
  paidPrincipalFen: fen(),
  paidBonusFen: fen(),
  refundedPrincipalFen: fen(),
  refundedBonusFen: fen(),
});
export type Order = Static<typeof Order>;

export const OrderDetail = Type.Object({
  ...Order.properties,
  exceptionReason: Nullable(Type.String()),
  /** Card that covered the stay. */
  packageName: Nullable(Type.String()),
  pricing: Type.Object({ scope: OneOf(PRICING_SCOPES), rule: PlainPricing }),
  /** Minutes that the price was calculated from; null when nothing was ever deposited. */
  chargedMinutes: Nullable(Type.Integer()),
  /** Minutes of the stay in which the cabinet was offline; they are not charged. */
  unreachableMinutes: Type.Integer(),
  /**
   * Deadline of the deposit: an order unfinished by then is cancelled if its compartment is empty.
   */
  depositUntil: Nullable(Timestamp),
  hasCode: Type.Boolean({ description: "有可用的取件码" }),
  /**
   * True while it is unknown whether the last opening happened; a person who saw the door settles
   * it.
   */
  isInDoubt: Type.Boolean(),
  /** When the door last opened without a command while goods were inside; null unless it did. */
  forcedAt: Nullable(Timestamp),
  isTenantOpen: Type.Boolean({ description: "租户未到期且未暂停" }),
  shortFen: Type.Integer({
    description: "收件人现在取件还差的金额：待付金额减套餐可抵扣和余额；够付或无需支付为 0",
  }),
  /** Current state of the compartment that holds the goods; null once the order holds none. */
  place: Nullable(
    Type.Object({
      connectivity: OneOf(CONNECTIVITIES),
      lastSeenAt: Nullable(Timestamp),
      lifecycle: OneOf(LIFECYCLES),
      cell: CompartmentState,
    }),
  ),
});
export type OrderDetail = Static<typeof OrderDetail>;

export const TIMELINE_SOURCES = [
  "ORDER",
  "COMMAND",
  "DOOR",
  "MONEY",
  "SMS",
  "SUBSCRIBE",
  "CALLBACK",
] as const;
export type TimelineSource = (typeof TIMELINE_SOURCES)[number];

/** One event in an order's timeline, from any of its sources. */
export const TimelineEntry = Type.Object({
  key: Type.String(),
  at: Timestamp,
  source: OneOf(TIMELINE_SOURCES),
  text: Type.String(),
  /** Reason, amount or means; null where the text is complete. */
  note: Nullable(Type.String()),
  actorName: Nullable(Type.String()),
  isProblem: Type.Boolean(),
  /** State that the order reached by this event. */
  toState: Nullable(OneOf(ORDER_STATES)),
  /** MONEY entries only: amount received by the operator, negative for a refund. */
  amountFen: Nullable(Type.Integer()),
  command: Nullable(Command),
  /** SMS entries only: the message in its current state. */
  sms: Nullable(SmsMessage),
  /** SUBSCRIBE entries only: the message in its current state. */
  subscribe: Nullable(SubscribeMessage),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

const orderFilters = {
  side: Side,
  orderNo: Type.Optional(OrderId),
  thirdPartyNo: Type.Optional(Type.String({ title: "第三方单号", maxLength: 64 })),
  phone: Type.Optional(PersonPhonePart),
  keyword: Type.Optional(Type.String({ title: "设备编号/名称", maxLength: 64 })),
  cabinetId: Type.Optional(Id),
  storeId: Type.Optional(StoreId),
  endUserId: Type.Optional(Id),
  state: Type.Optional(OneOf(ORDER_STATES, "订单状态")),
  payStatus: Type.Optional(OneOf(PAY_STATUSES, "支付状态")),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  tenantId: Type.Optional(TenantId),
};

export const orderContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/order/list",
    access: "order:read",
    summary: "订单列表",
    query: PageQuery(orderFilters),
    reply: PageOf(Order),
  }),
  /** Needs the permission for money: maintenance staff see orders, not the turnover. */
  sums: endpoint({
    method: "GET",
    path: "/admin/v1/order-sums/read",
    access: "ledger:read",
    load: "heavy",
    summary: "订单列表合计",
    query: Strict(orderFilters),
    reply: SumsOf({
      priceFen: fen("存放费用；物品还在柜内时算到此刻"),
      paidFen: fen("已支付，退款前"),
      refundedFen: fen("已退款"),
    }),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/order/{id}",
    access: "order:read",
    summary: "订单详情",
    params: IdParams,
    reply: OrderDetail,
  }),
  timeline: endpoint({
    method: "GET",
    path: "/admin/v1/order/{id}/timeline",
    access: "order:read",
    summary: "订单处理记录：状态、指令、箱门、支付、消息和回调",
    params: IdParams,
    reply: Type.Array(TimelineEntry),
  }),
  showPhones: endpoint({
    method: "POST",
    path: "/admin/v1/order/{id}/phones",
    access: "order:read",
    risk: "data",
    summary: "查看订单的完整手机号",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Type.Object({ rider: Nullable(Type.String()), recipient: Type.String() }),
  }),
  /** Permission of the texts that the code is read from. Not `once`: a kept answer would be one more copy of the code. */
  showCode: endpoint({
    method: "POST",
    path: "/admin/v1/order/{id}/pickup-code",
    access: "sms:reveal",
    risk: "data",
    summary: "查看取件码",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Type.Object({
      code: Nullable(Type.String({ description: "保留的短信原文里没有当前的取件码时为空" })),
    }),
  }),
};
