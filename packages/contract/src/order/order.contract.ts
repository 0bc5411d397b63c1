// Orders (订单) in the console: the list of either side, one order in full, its timeline.
import { type Static, Type } from "typebox";
import { CONNECTIVITIES, LIFECYCLES } from "../cabinet/cabinet.rules.ts";
import { Side } from "../cabinet-model/cabinet-model.contract.ts";
import { Command } from "../command/command.contract.ts";
import { Compartment, CompartmentNo } from "../compartment/compartment.contract.ts";
import { SIZES } from "../compartment/compartment.rules.ts";
import { endpoint } from "../kit/endpoint.ts";
import {
  Id,
  IdParams,
  Nullable,
  OneOf,
  OrderId,
  PhonePart,
  StoreId,
  TenantId,
  Timestamp,
} from "../kit/fields.ts";
import { PageOf, PageQuery } from "../kit/pagination.ts";
import { PricingRuleBody } from "../pricing/pricing.contract.ts";
import { PRICING_SCOPES } from "../pricing/pricing.rules.ts";
import { SmsMessage } from "../sms/sms.contract.ts";
import { SubscribeMessage } from "../template/template.contract.ts";
import { ORDER_STATES, PAY_STATUSES } from "./order.rules.ts";

const fen = (description?: string) => Type.Integer(description ? { description } : {});

/** A rider or a recipient as others see them. */
export const OrderPerson = Type.Object({
  id: Id,
  name: Type.String(),
  phone: Type.String({ description: "已隐藏中间四位" }),
});
export type OrderPerson = Static<typeof OrderPerson>;

export const Order = Type.Object({
  /** Shown as 订单号 too. */
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  side: Side,
  createdAt: Timestamp,
  cabinetId: Id,
  cabinetSn: Type.String(),
  cabinetName: Type.String(),
  /** Where the cabinet stood then. */
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
  /** How long the goods lay there, or have lain so far; null before they are in. */
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
  /** The card that covered it. */
  packageName: Nullable(Type.String()),
  pricing: Type.Object({ scope: OneOf(PRICING_SCOPES), rule: PricingRuleBody }),
  /** What the price was reckoned from; null where nothing was ever put in. */
  chargedMinutes: Nullable(Type.Integer()),
  /** Not finished by then, it is cancelled if nothing lies in it. */
  depositUntil: Nullable(Timestamp),
  hasCode: Type.Boolean({ description: "有可用的取件码" }),
  /** Whether its last opening happened nobody can say: a person who has seen it may. */
  isInDoubt: Type.Boolean(),
  /** How it stands where the goods lie; null once the order holds no compartment. */
  place: Nullable(
    Type.Object({
      connectivity: OneOf(CONNECTIVITIES),
      lifecycle: OneOf(LIFECYCLES),
      cell: Type.Pick(Compartment, [
        "no",
        "size",
        "adminState",
        "adminReason",
        "occupancy",
        "occupiedSince",
        "doorFront",
        "doorBack",
        "item",
      ]),
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

/** One thing that happened to an order, whoever wrote it down. */
export const TimelineEntry = Type.Object({
  key: Type.String(),
  at: Timestamp,
  source: OneOf(TIMELINE_SOURCES),
  text: Type.String(),
  /** Why, how much, with what; null where the text says all. */
  note: Nullable(Type.String()),
  actorName: Nullable(Type.String()),
  isProblem: Type.Boolean(),
  /** The state that the order came to by it. */
  toState: Nullable(OneOf(ORDER_STATES)),
  /** Of MONEY: what came to the operator, or went back. */
  amountFen: Nullable(Type.Integer()),
  command: Nullable(Command),
  /** Of SMS: the message as it stands now. */
  sms: Nullable(SmsMessage),
  /** Of SUBSCRIBE: the message as it stands now. */
  subscribe: Nullable(SubscribeMessage),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

export const orderFilters = {
  side: Side,
  orderNo: Type.Optional(OrderId),
  thirdPartyNo: Type.Optional(Type.String({ title: "第三方单号", maxLength: 64 })),
  phone: Type.Optional(PhonePart),
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
    summary: "订单经过：状态、指令、箱门、支付、消息和回调",
    params: IdParams,
    reply: Type.Array(TimelineEntry),
  }),
  showPhones: endpoint({
    method: "POST",
    path: "/admin/v1/order/{id}/phones",
    access: "order:read",
    summary: "查看订单的完整手机号",
    params: IdParams,
    reply: Type.Object({ rider: Nullable(Type.String()), recipient: Type.String() }),
  }),
};
