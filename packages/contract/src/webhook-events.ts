// Bodies of the events that third parties receive, by type: the source of the API document and of the publishers' types.

import { type Static, type TObject, Type } from "typebox";
import { COMMAND_STATES, hasResult } from "./fleet/command/command.rules.ts";
import { described, Id, Nullable, OneOf, Uuid } from "./kit/fields.ts";
import { named } from "./kit/named.ts";
import {
  MALFUNCTION_EVENTS,
  OPENING_EVENTS,
  ORDER_EVENTS,
  type SentEventType,
  TEST_EVENT,
  WEBHOOK_API_VERSION,
} from "./messaging/webhook/webhook-event.rules.ts";
import { MALFUNCTION_STATES, SEVERITIES } from "./operations/malfunction/malfunction.rules.ts";
import { OPEN_PURPOSES } from "./orders/order/order.rules.ts";
import { DOOR_SIDES } from "./vocabulary/hardware.rules.ts";
import { MALFUNCTION_KINDS } from "./vocabulary/malfunction.rules.ts";
import { ORDER_STATES } from "./vocabulary/order.rules.ts";

const order = {
  orderId: Type.Integer({ description: "订单编号", minimum: 1 }),
  thirdPartyNo: Nullable(Type.String({ description: "第三方单号；不是通过开放接口下的单为 null" })),
  state: OneOf(ORDER_STATES, "事件之后的订单状态"),
  cabinetSn: Type.String({ description: "设备编号" }),
  compartmentNo: Type.Integer({ description: "格口号" }),
};
const fen = (description: string) => Type.Integer({ description: `${description}（分）` });

const OrderEvent = named("OrderEventData", Type.Object(order));
const PaidEvent = named(
  "OrderPaidData",
  Type.Object({
    ...order,
    amountFen: fen("这一次支付的金额"),
    paidFen: fen("至此共支付的金额"),
    owedFen: fen("还欠的金额"),
  }),
);
const RefundedEvent = named(
  "OrderRefundedData",
  Type.Object({
    ...order,
    amountFen: fen("这一次退款的金额"),
    refundedFen: fen("至此共退款的金额"),
  }),
);

/** States of an opening that has a result, the usual one first. */
const results = COMMAND_STATES.filter(hasResult);
const opening = {
  openingId: described(Uuid, "开门的编号"),
  orderId: order.orderId,
  thirdPartyNo: order.thirdPartyNo,
  purpose: OneOf(OPEN_PURPOSES, "用途：存件、取件、取回"),
  state: OneOf(results, "结果；CONFIRMED 是门已打开"),
  cabinetSn: order.cabinetSn,
  compartmentNo: order.compartmentNo,
  side: OneOf(DOOR_SIDES, "哪一面的门"),
};
const OpeningSettled = named("OpeningSettledData", Type.Object(opening));
const OpeningCorrected = named(
  "OpeningCorrectedData",
  Type.Object({
    ...opening,
    formerState: OneOf(["UNKNOWN", "NOT_CONFIRMED"], "在此之前的结果"),
  }),
);

const malfunction = {
  malfunctionId: Type.Integer({ description: "故障编号", minimum: 1 }),
  kind: OneOf(MALFUNCTION_KINDS, "故障类型"),
  severity: OneOf(SEVERITIES, "级别"),
  state: OneOf(MALFUNCTION_STATES, "事件之后的故障状态；重开后仍由原处理人处理的是 ASSIGNED"),
  cabinetSn: Nullable(Type.String({ description: "设备编号；门店断网为 null" })),
  compartmentNo: Nullable(Type.Integer({ description: "格口号；整台设备的故障为 null" })),
  storeId: described(Nullable(Id), "门店编号；没有分配门店为 null"),
};
const MalfunctionEvent = named("MalfunctionEventData", Type.Object(malfunction));
const MalfunctionEnded = named(
  "MalfunctionResolvedData",
  Type.Object({
    ...malfunction,
    outcome: OneOf(
      ["MENDED", "RECOVERED", "MERGED", "FALSE_ALARM"],
      "怎样结束：已处理、自动恢复、并入门店断网、误报",
    ),
  }),
);
const AuditHead = named(
  "AuditSealedData",
  Type.Object({
    tenantId: described(Id, "租户"),
    day: Type.String({ format: "date", description: "签名的日期（上海时间）" }),
    seq: Type.Integer({ minimum: 1, description: "签名时链头的序号；没有新记录的日子不签名" }),
    hash: Type.String({ pattern: "^[0-9a-f]{64}$", description: "链头的哈希，十六进制" }),
    signature: Type.String({
      description:
        "本系统对“audit-head tenantId day seq hash”（五段以一个空格分开）的 Ed25519 签名，base64",
    }),
  }),
);
const TestEvent = named(
  "CallbackTestData",
  Type.Object({
    message: Type.String({ description: "说明这是测试" }),
  }),
);

export type WebhookData =
  | Static<typeof OpeningSettled>
  | Static<typeof OpeningCorrected>
  | Static<typeof OrderEvent>
  | Static<typeof PaidEvent>
  | Static<typeof RefundedEvent>
  | Static<typeof MalfunctionEvent>
  | Static<typeof MalfunctionEnded>;

/** Amounts of an order's event, besides what all its events carry. */
export type OrderEventMoney =
  | Record<string, never>
  | Omit<Static<typeof PaidEvent>, keyof typeof order>
  | Omit<Static<typeof RefundedEvent>, keyof typeof order>;

const entries = <Types extends readonly string[], Schema>(types: Types, schema: Schema) =>
  Object.fromEntries(types.map((type) => [type, schema])) as Record<Types[number], Schema>;

/** Schema of `data` in each event. */
const webhookData: Record<SentEventType, TObject> = {
  ...entries(ORDER_EVENTS, OrderEvent),
  "order.paid": PaidEvent,
  "order.refunded": RefundedEvent,
  ...entries(OPENING_EVENTS, OpeningSettled),
  "opening.corrected": OpeningCorrected,
  ...entries(MALFUNCTION_EVENTS, MalfunctionEvent),
  "malfunction.resolved": MalfunctionEnded,
  "audit.sealed": AuditHead,
  [TEST_EVENT]: TestEvent,
};

/** `order.paid` is an OrderPaidEvent. */
const eventName = (type: string) =>
  `${type.replaceAll(/(?:^|\.|_)(\w)/g, (_, first) => first.toUpperCase())}Event`;

/** Schema of the request body of an event. */
export function webhookBodySchema(type: SentEventType) {
  return named(
    eventName(type),
    Type.Object({
      type: Type.Literal(type, { description: "事件类型" }),
      timestamp: Type.String({ format: "date-time", description: "事情发生的时间" }),
      apiVersion: Type.Literal(WEBHOOK_API_VERSION, { description: "正文的版本" }),
      tenantSeq: Type.Integer({
        minimum: 0,
        description:
          "在这个租户（应用的回调地址：该应用订单）的全部事件里的序号，从 1 起连续；测试事件为 0",
      }),
      data: webhookData[type],
    }),
  );
}
