// Open API (/open/v1): calls of third parties for their orders, doors and the tenant's cabinets.

import { type Static, Type } from "typebox";
import { CABINET_REFUSALS } from "../../fleet/cabinet/cabinet-service.rules.ts";
import { COMMAND_STATES, openingSettledText } from "../../fleet/command/command.rules.ts";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  described,
  Id,
  idOf,
  Nullable,
  OneOf,
  Phone,
  Strict,
  Timestamp,
  Uuid,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { REPLAY_KINDS, type ReplayKind } from "../../messaging/webhook/webhook.rules.ts";
import {
  OPENING_EVENTS,
  ORDER_EVENTS,
  WEBHOOK_API_VERSION,
} from "../../messaging/webhook/webhook-event.rules.ts";
import { MAX_PRICING_TEXT } from "../../money/pricing/pricing.rules.ts";
import { OPEN_PURPOSES } from "../../orders/order/order.rules.ts";
import { AfterDoubt } from "../../orders/order/order-action.contract.ts";
import { DOOR_SIDES, SIZES, SN_PATTERN } from "../../vocabulary/hardware.rules.ts";
import { Side } from "../../vocabulary/hardware.ts";
import { ORDER_STATES } from "../../vocabulary/order.rules.ts";
import {
  CHANGE_CURSOR_PATTERN,
  MAX_PAGE_SIZE,
  OPEN_SCOPES,
  THIRD_PARTY_NO_PATTERN,
} from "./open-api.rules.ts";

const Sn = Type.String({ title: "设备编号", pattern: SN_PATTERN });
export const ThirdPartyNo = Type.String({
  title: "第三方单号",
  pattern: THIRD_PARTY_NO_PATTERN,
  description: "1 至 64 个可见的 ASCII 字符；同一应用内不能重复",
});
const Limit = Type.Integer({ title: "条数", minimum: 1, maximum: MAX_PAGE_SIZE, default: 50 });
const Seq = (title: string) =>
  Type.Integer({ title, minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const fen = (description: string) => Type.Integer({ description: `${description}（分）` });

export const OpenOpening = named(
  "Opening",
  Type.Object({
    id: described(Uuid, "开门的编号"),
    orderId: described(Id, "订单编号"),
    purpose: OneOf(OPEN_PURPOSES, "用途：存件、取件、取回"),
    no: Type.Integer({ description: "格口号" }),
    side: OneOf(DOOR_SIDES, "哪一面的门"),
    state: OneOf(COMMAND_STATES, "进展；CONFIRMED 是门已打开"),
    isSettled: Type.Boolean({ description: openingSettledText }),
    at: described(Timestamp, "何时请求"),
  }),
);
export type OpenOpening = Static<typeof OpenOpening>;

const orderId = described(Id, "订单编号");
const OrderParams = Strict({ id: orderId });

export const OpenOrder = named(
  "Order",
  Type.Object({
    id: orderId,
    thirdPartyNo: Type.String({ description: "第三方单号" }),
    state: OneOf(ORDER_STATES, "订单状态"),
    cabinetSn: Type.String({ description: "设备编号" }),
    cabinetName: Type.String({ description: "设备名称" }),
    no: Type.Integer({ description: "格口号" }),
    size: OneOf(SIZES, "格口大小"),
    side: described(Side, "单面柜或双面柜"),
    recipientPhone: Type.String({ description: "已隐藏中间四位" }),
    itemNote: Type.String({ description: "物品说明" }),
    createdAt: described(Timestamp, "创建时间"),
    depositUntil: described(
      Nullable(Timestamp),
      "预约到何时，到时仍未存入则自动取消；存入之后为空",
    ),
    storedAt: described(Nullable(Timestamp), "存入时间"),
    freeUntil: described(
      Nullable(Timestamp),
      "免费到何时，之后开始计费；存入之前为空，计费规则不收费时也为空",
    ),
    overdueAt: described(Nullable(Timestamp), "何时变为已滞留，与计费无关；存入之前为空"),
    endedAt: described(Nullable(Timestamp), "结束时间"),
    pricing: Type.String({ description: "下单时确定的计费规则说明" }),
    priceFen: fen("费用，到此刻为止"),
    owedFen: fen("其中还需支付"),
    opening: Type.Unsafe<OpenOpening | null>({
      ...OpenOpening,
      type: ["object", "null"],
      description: "最近一次开门",
    }),
  }),
);
export type OpenOrder = Static<typeof OpenOrder>;

/** Price that the caller showed to somebody. */
const SeenPricing = Type.Optional(
  Type.String({
    title: "看到的计费规则",
    maxLength: MAX_PRICING_TEXT,
    description: "所选格口的 pricing，原样交回；与下单此刻的不同时拒绝（PRICING_CHANGED）",
  }),
);

const FreeSize = named(
  "FreeSize",
  Type.Object({
    size: OneOf(SIZES, "格口大小"),
    total: Type.Integer({ description: "格口数" }),
    free: Type.Integer({ description: "其中空闲" }),
    pricing: Type.String({ description: "此刻存入这种格口的计费规则说明" }),
  }),
);

export const OpenCabinet = named(
  "Cabinet",
  Type.Object({
    sn: Type.String({ description: "设备编号" }),
    name: Type.String({ description: "设备名称" }),
    side: described(Side, "单面柜或双面柜"),
    storeName: Nullable(Type.String({ description: "所在门店；没有分配门店为空" })),
    address: Type.String({ description: "地址" }),
    longitude: Nullable(Type.Number({ description: "经度，GCJ-02" })),
    latitude: Nullable(Type.Number({ description: "纬度，GCJ-02" })),
    isOnline: Type.Boolean({ description: "在线" }),
    refusal: Nullable(Type.String({ description: "不能存件的原因；可以存件时为空" })),
    refusalCode: Nullable(OneOf(CABINET_REFUSALS, "原因的代码；可以存件时为空")),
    sizes: Type.Array(FreeSize, { description: "按大小的格口数和空闲数" }),
  }),
);
export type OpenCabinet = Static<typeof OpenCabinet>;

/** An event as a callback brings it; its body, and the header that identifies it. */
export const OpenEvent = named(
  "Event",
  Type.Object({
    id: Type.String({ description: "事件的编号，与回调的 webhook-id 相同：按它去重" }),
    type: OneOf([...ORDER_EVENTS, ...OPENING_EVENTS], "事件类型"),
    timestamp: described(Timestamp, "事情发生的时间"),
    apiVersion: Type.Literal(WEBHOOK_API_VERSION, { description: "正文的版本" }),
    tenantSeq: Type.Integer({
      minimum: 1,
      description: "在本应用的全部事件里的序号，从 1 起连续，与应用的回调地址收到的相同",
    }),
    data: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: "object",
      additionalProperties: true,
      description: "编号与状态，与回调正文的 data 相同",
    }),
  }),
);
export type OpenEvent = Static<typeof OpenEvent>;

export const openApiContract = {
  whoAmI: endpoint({
    method: "GET",
    path: "/open/v1/app",
    base: "",
    access: "partner",
    summary: "本应用的信息：联调时先调用它",
    reply: named(
      "App",
      Type.Object({
        app: Type.String({ description: "应用编号" }),
        name: Type.String({ description: "应用名称" }),
        tenantName: Type.String({ description: "租户名称" }),
        scopes: Type.Array(OneOf(OPEN_SCOPES), { description: "应用的权限" }),
        ratePerMinute: Type.Integer({ description: "每分钟最多请求，超过的返回 429" }),
        reserveSharePercent: Type.Integer({
          description: "预约而未存入的订单最多占一台设备同一大小格口的百分之几，至少 2 个",
        }),
        limits: named(
          "AppLimits",
          Type.Object(
            {
              concurrentRequests: Type.Integer({
                description: "同时等待响应的请求，超过的返回 429",
              }),
              bodyBytes: Type.Integer({ description: "正文的字节数，超过的是 413" }),
              pageSize: Type.Integer({ description: "每页条数 limit 的上限" }),
              idempotencyHours: Type.Integer({
                description: "同一个 Idempotency-Key 的结果保留多久",
              }),
              clockSkewSeconds: Type.Integer({ description: "ts 与服务器时钟最多相差" }),
              activeKeys: Type.Integer({ description: "一个应用同时有效的密钥" }),
              callbackEndpoints: Type.Integer({ description: "租户的全部回调地址，各应用合计" }),
            },
            { description: "其他限额" },
          ),
        ),
        serverTime: described(Timestamp, "服务器的时间"),
      }),
    ),
  }),
  createOrder: endpoint({
    method: "POST",
    path: "/open/v1/order",
    base: "",
    access: "partner",
    load: "critical",
    feature: "open-api",
    scope: "order:write",
    once: true,
    pressed: true,
    summary: "创建订单：预约一个格口，可同时打开箱门存件（另需开门权限）",
    body: named(
      "NewOrder",
      Strict({
        thirdPartyNo: ThirdPartyNo,
        cabinetSn: Sn,
        size: OneOf(SIZES, "格口大小"),
        recipientPhone: Phone,
        itemNote: Type.String({ title: "物品说明", maxLength: 60, default: "" }),
        reserveMinutes: Type.Integer({
          title: "预约时长（分钟）",
          minimum: 5,
          maximum: 240,
          default: 15,
          description: "到时仍未存入则自动取消",
        }),
        opensDoor: Type.Boolean({ title: "立即开门", default: false }),
        pricing: SeenPricing,
      }),
    ),
    reply: OpenOrder,
  }),
  findOrder: endpoint({
    method: "GET",
    path: "/open/v1/order/find",
    base: "",
    access: "partner",
    scope: "order:read",
    summary: "按第三方单号查询订单",
    query: Strict({ thirdPartyNo: ThirdPartyNo }),
    reply: OpenOrder,
  }),
  order: endpoint({
    method: "GET",
    path: "/open/v1/order/{id}",
    base: "",
    access: "partner",
    scope: "order:read",
    summary: "查询订单",
    params: OrderParams,
    reply: OpenOrder,
  }),
  orders: endpoint({
    method: "GET",
    path: "/open/v1/order",
    base: "",
    access: "partner",
    scope: "order:read",
    summary: "列出本应用的订单：按创建时间，或用 updatedAfter、cursor 按变更的先后",
    query: Strict({
      from: Type.Optional(described(Timestamp, "不早于")),
      to: Type.Optional(described(Timestamp, "早于")),
      state: Type.Optional(OneOf(ORDER_STATES, "状态")),
      after: Type.Optional(idOf("上一页的 nextAfter")),
      updatedAfter: Type.Optional(
        described(Timestamp, "只列出在此之后变更过的订单，按变更的先后；之后用 cursor 接着读"),
      ),
      cursor: Type.Optional(
        Type.String({
          title: "上次返回的 cursor",
          pattern: CHANGE_CURSOR_PATTERN,
          description: "接着它按变更的先后列出",
        }),
      ),
      limit: Limit,
    }),
    reply: named(
      "OrderPage",
      Type.Object({
        list: Type.Array(OpenOrder, {
          description: "从早到晚；按变更列出时，每个订单以最后一次变更为准",
        }),
        nextAfter: described(Nullable(Id), "下一页的 after；最后一页为空，按变更列出时总为空"),
        cursor: Nullable(
          Type.String({
            description:
              "按变更列出时读到哪里：保存它，下次作 cursor；少于 limit 条时已经读完。否则为空",
          }),
        ),
      }),
    ),
  }),
  events: endpoint({
    method: "GET",
    path: "/open/v1/event",
    base: "",
    access: "partner",
    scope: "order:read",
    summary: "补读本应用的事件，按 tenantSeq：没有收到的回调都在这里，保留 30 天",
    query: Strict({
      after: Type.Integer({
        title: "已经读到的 tenantSeq",
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
      }),
      limit: Limit,
    }),
    reply: named(
      "EventPage",
      Type.Object({
        list: Type.Array(OpenEvent, { description: "按 tenantSeq" }),
        nextAfter: Nullable(
          Type.Integer({
            description: "下一页的 after；最后一页为空，以后从最后一条的 tenantSeq 读起",
          }),
        ),
        oldestSeq: Nullable(
          Type.Integer({
            description: "还保留的最早的 tenantSeq，大于 after + 1 时中间的已经删除；没有事件为空",
          }),
        ),
      }),
    ),
  }),
  replayEvents: endpoint({
    method: "POST",
    path: "/open/v1/event/replay",
    base: "",
    access: "partner",
    scope: "order:read",
    once: true,
    summary:
      "把一段范围内的事件重新推送到本应用的回调地址，webhook-id 不变；至少给出 fromSeq 或 from",
    body: named(
      "EventReplay",
      Strict({
        fromSeq: Type.Optional(Seq("从这个 tenantSeq 起")),
        toSeq: Type.Optional(Seq("到这个 tenantSeq 为止，含")),
        from: Type.Optional(described(Timestamp, "不早于")),
        to: Type.Optional(described(Timestamp, "到这一秒为止，含")),
        kind: Type.Unsafe<ReplayKind>({
          ...OneOf(REPLAY_KINDS, "范围"),
          default: "ALL",
          description: "ALL 全部重新推送；MISSED 只推送没有送达的",
        }),
      }),
    ),
    reply: named(
      "EventReplayResult",
      Type.Object({
        events: Type.Integer({ description: "范围内还保留的事件" }),
        queued: Type.Integer({ description: "这次排队的推送：每个事件、每个登记了它的地址一次" }),
        pending: Type.Integer({ description: "原来就在等待或发送中的推送，照常继续，不重复排队" }),
      }),
    ),
  }),
  cancelOrder: endpoint({
    method: "POST",
    path: "/open/v1/order/{id}/cancel",
    base: "",
    access: "partner",
    scope: "order:write",
    once: true,
    pressed: true,
    summary: "取消还没有存入物品的订单",
    params: OrderParams,
    reply: named("CancelledOrder", Type.Object({ state: OneOf(ORDER_STATES, "取消之后的状态") })),
  }),
  openDoor: endpoint({
    method: "POST",
    path: "/open/v1/order/{id}/open",
    base: "",
    access: "partner",
    load: "critical",
    scope: "order:open",
    once: true,
    pressed: true,
    summary: "打开订单的箱门：存件、取件或取回；一次请求最多开一次",
    params: OrderParams,
    body: named(
      "NewOpening",
      Strict({ purpose: OneOf(OPEN_PURPOSES, "用途"), afterDoubt: AfterDoubt }),
    ),
    reply: OpenOpening,
  }),
  resendCode: endpoint({
    method: "POST",
    path: "/open/v1/order/{id}/code",
    base: "",
    access: "partner",
    scope: "order:write",
    once: true,
    pressed: true,
    summary: "给取件人重发取件码；原来的取件码作废",
    params: OrderParams,
    reply: Nothing,
  }),
  opening: endpoint({
    method: "GET",
    path: "/open/v1/opening/{id}",
    base: "",
    access: "partner",
    load: "critical",
    scope: "order:read",
    summary: "开门的结果",
    params: Strict({ id: described(Uuid, "开门的编号") }),
    reply: OpenOpening,
  }),
  cabinets: endpoint({
    method: "GET",
    path: "/open/v1/cabinet",
    base: "",
    access: "partner",
    feature: "open-api",
    scope: "cabinet:read",
    summary: "设备列表：所在门店、在线状态、各大小的空闲格口，按编号",
    query: Strict({
      after: Type.Optional(Type.String({ title: "上一页的 nextAfter", pattern: SN_PATTERN })),
      limit: Limit,
    }),
    reply: named(
      "CabinetPage",
      Type.Object({
        list: Type.Array(OpenCabinet, { description: "按设备编号" }),
        nextAfter: Nullable(Type.String({ description: "下一页的 after；最后一页为空" })),
      }),
    ),
  }),
  cabinet: endpoint({
    method: "GET",
    path: "/open/v1/cabinet/{sn}",
    base: "",
    access: "partner",
    feature: "open-api",
    scope: "cabinet:read",
    summary: "一台设备：是否可以存件，各大小的空闲格口",
    params: Strict({ sn: Sn }),
    reply: OpenCabinet,
  }),
};
