// App calls for orders: a cabinet's public view, deposit, pickup and taking back.

import { type Static, Type } from "typebox";
import { COMMAND_STATES, openingSettledText } from "../../fleet/command/command.rules.ts";
import { endpoint } from "../../kit/endpoint.ts";
import {
  amountOf,
  Id,
  IdParams,
  Nullable,
  OneOf,
  Phone,
  Strict,
  Timestamp,
  Uuid,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { MAX_PRICING_TEXT } from "../../money/pricing/pricing.rules.ts";
import { DOOR_SIDES, DOOR_STATES, SIZES, SN_PATTERN } from "../../vocabulary/hardware.rules.ts";
import { Side } from "../../vocabulary/hardware.ts";
import { APP_ROLES, ORDER_STATES } from "../../vocabulary/order.rules.ts";
import { OPEN_PURPOSES, PAY_STATUSES } from "../order/order.rules.ts";
import { AfterDoubt } from "../order/order-action.contract.ts";
import { APP_CABINET_REFUSALS } from "./app.rules.ts";

const Sn = Type.String({ title: "设备编号", pattern: SN_PATTERN });
const fen = (description: string) => Type.Integer({ description });

export const AppCabinet = named(
  "AppCabinet",
  Type.Object({
    sn: Type.String(),
    name: Type.String(),
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    side: Side,
    place: Type.String({ description: "门店、地址和柜机位置" }),
    openingHours: Type.String(),
    servicePhone: Type.String(),
    isOnline: Type.Boolean(),
    refusal: Nullable(Type.String({ description: "不能存件的原因；可以存件时为空" })),
    refusalCode: Nullable(
      OneOf(APP_CABINET_REFUSALS, "原因的代码：暂停存件、离线、已满；可以存件时为空"),
    ),
    sizes: Type.Array(
      Type.Object({
        size: OneOf(SIZES),
        total: Type.Integer(),
        free: Type.Integer(),
        pricing: Type.String({ description: "此刻存入这种格口的计费规则说明" }),
      }),
    ),
    pricing: Type.String({ description: "计费规则说明；各规格不同时逐一列出" }),
  }),
);
export type AppCabinet = Static<typeof AppCabinet>;

/** Requested opening of a door and its result so far. */
export const AppOpening = named(
  "AppOpening",
  Type.Object({
    commandId: Uuid,
    purpose: OneOf(OPEN_PURPOSES),
    no: Type.Integer(),
    side: OneOf(DOOR_SIDES),
    state: OneOf(COMMAND_STATES),
    isSettled: Type.Boolean({ description: openingSettledText }),
    detail: Nullable(Type.String()),
    at: Timestamp,
    door: { ...OneOf(DOOR_STATES), description: "这扇门此刻的状态" },
    orderState: { ...OneOf(ORDER_STATES), description: "订单此刻的状态" },
  }),
);
export type AppOpening = Static<typeof AppOpening>;

export const AppOrder = named(
  "AppOrder",
  Type.Object({
    id: Id,
    role: OneOf(APP_ROLES),
    cabinetSn: Type.String(),
    cabinetName: Type.String(),
    storeName: Nullable(Type.String()),
    no: Type.Integer(),
    size: OneOf(SIZES),
    side: Side,
    state: OneOf(ORDER_STATES),
    payStatus: OneOf(PAY_STATUSES),
    itemNote: Type.String(),
    /**
     * Masked phone of the other side: the recipient's for the rider, the rider's for the recipient.
     */
    otherPhone: Nullable(Type.String({ description: "已隐藏中间四位" })),
    createdAt: Timestamp,
    storedAt: Nullable(Timestamp),
    overdueAt: Nullable(Timestamp),
    endedAt: Nullable(Timestamp),
    pricing: Type.String({ description: "计费规则说明" }),
    priceFen: fen("费用，到此刻为止"),
    owedFen: fen("其中还需支付"),
    paidFen: fen("已支付"),
    refundedFen: fen("已退还"),
  }),
);
export type AppOrder = Static<typeof AppOrder>;

const AppOrderDetail = named(
  "AppOrderDetail",
  Type.Object({
    ...AppOrder.properties,
    opening: Nullable(AppOpening),
  }),
);
export type AppOrderDetail = Static<typeof AppOrderDetail>;

const OpenedDoor = named(
  "AppOpenedDoor",
  Type.Object({
    orderId: Id,
    commandId: Uuid,
    no: Type.Integer(),
    side: OneOf(DOOR_SIDES),
    chargedFen: fen("箱门打开后从钱包扣除"),
    coveredFen: fen("由套餐抵扣"),
  }),
);

/** Price that the caller saw; the door stays closed if the current price is higher. */
const AgreedFen = {
  ...amountOf("同意支付的金额", "本人看到的应付金额（分）；实际应付更多时不开门"),
  default: 0,
};

export const appOrderContract = {
  cabinet: endpoint({
    method: "GET",
    path: "/app/v1/cabinet/{sn}",
    access: "public",
    summary: "扫码后看到的柜机：空闲格口、计费规则、是否可以存件",
    params: Strict({ sn: Sn }),
    reply: AppCabinet,
  }),
  deposit: endpoint({
    method: "POST",
    path: "/app/v1/order",
    access: "end-user",
    once: true,
    startsNew: true,
    pressed: true,
    summary: "开始存件：分配格口并开门",
    body: Strict({
      sn: Sn,
      size: OneOf(SIZES, "格口大小"),
      recipientPhone: Phone,
      itemNote: Type.String({ title: "物品说明", maxLength: 60, default: "" }),
      pricing: Type.Optional(
        Type.String({
          title: "看到的计费规则",
          maxLength: MAX_PRICING_TEXT,
          description: "所选格口的 pricing，原样交回；与下单此刻的不同时拒绝（PRICING_CHANGED）",
        }),
      ),
    }),
    reply: Type.Object({
      ...OpenedDoor.properties,
      depositUntil: Timestamp,
    }),
  }),
  list: endpoint({
    method: "GET",
    path: "/app/v1/order",
    access: "end-user",
    summary: "我的订单：我存的和待我取件的",
    query: PageQuery({
      role: Type.Optional(OneOf(APP_ROLES, "身份")),
      isLive: Type.Optional(Type.Boolean({ title: "进行中" })),
    }),
    reply: PageOf(AppOrder),
  }),
  get: endpoint({
    method: "GET",
    path: "/app/v1/order/{id}",
    access: "end-user",
    summary: "我的一个订单，含最近一次开门的结果",
    params: IdParams,
    reply: AppOrderDetail,
  }),
  openAgain: endpoint({
    method: "POST",
    path: "/app/v1/order/{id}/open",
    access: "end-user",
    once: true,
    pressed: true,
    summary: "存件时再次开门",
    params: IdParams,
    query: Strict({ afterDoubt: AfterDoubt }),
    reply: OpenedDoor,
  }),
  cancel: endpoint({
    method: "POST",
    path: "/app/v1/order/{id}/cancel",
    access: "end-user",
    once: true,
    pressed: true,
    summary: "取消还没有存入物品的订单",
    params: IdParams,
    reply: Type.Object({ state: OneOf(ORDER_STATES) }),
  }),
  takeBack: endpoint({
    method: "POST",
    path: "/app/v1/order/{id}/take-back",
    access: "end-user",
    once: true,
    pressed: true,
    summary: "存件人取回物品：支付费用并开门",
    params: IdParams,
    body: Strict({ agreedFen: AgreedFen, afterDoubt: AfterDoubt }),
    reply: OpenedDoor,
  }),
  pickup: endpoint({
    method: "POST",
    path: "/app/v1/order/{id}/pickup",
    access: "end-user",
    once: true,
    pressed: true,
    summary: "取件人取件：支付费用并开门",
    params: IdParams,
    body: Strict({ agreedFen: AgreedFen, afterDoubt: AfterDoubt }),
    reply: OpenedDoor,
  }),
  pay: endpoint({
    method: "POST",
    path: "/app/v1/order/{id}/pay",
    access: "end-user",
    once: "always",
    pressed: true,
    summary: "补付已结束订单的欠费",
    params: IdParams,
    reply: Type.Object({ paidFen: Type.Integer() }),
  }),
  pickupByCode: endpoint({
    method: "POST",
    path: "/app/v1/pickup",
    access: "public",
    once: true,
    pressed: true,
    needsCaptcha: "when-due",
    summary:
      "凭取件码和取件人手机号后四位取件；有费用时须登录后支付。此手机号后四位输错次数多时须先通过人机验证（CAPTCHA_DUE）、改填完整手机号（PICKUP_PHONE_DUE）",
    body: Strict({
      sn: Sn,
      code: Type.String({ title: "取件码", pattern: "^\\d{6}$" }),
      phoneTail: Type.String({
        title: "取件人手机号后四位，或完整手机号",
        pattern: "^(\\d{4}|\\d{7,15})$",
      }),
      agreedFen: AgreedFen,
      afterDoubt: AfterDoubt,
    }),
    reply: OpenedDoor,
  }),
  opening: endpoint({
    method: "GET",
    path: "/app/v1/opening/{id}",
    access: "public",
    summary: "开门结果；编号只有请求开门的人知道",
    params: Strict({ id: Uuid }),
    reply: AppOpening,
  }),
};
