// Webhook events for third parties: types, texts and the request body.

export const ORDER_EVENTS = [
  "order.created",
  "order.depositing",
  "order.stored",
  "order.overdue",
  "order.extended",
  "order.moved",
  "order.picking",
  "order.completed",
  "order.cancelled",
  "order.taken_back",
  "order.cleared",
  "order.exception",
  "order.paid",
  "order.refunded",
] as const;

/** Results of the openings of an order's door: once final, and each time that a final one turns out to be wrong. */
export const OPENING_EVENTS = ["opening.settled", "opening.corrected"] as const;
export type OpeningEventType = (typeof OPENING_EVENTS)[number];

/** Not delivered to endpoints that receive one application's orders only. */
export const MALFUNCTION_EVENTS = [
  "malfunction.created",
  "malfunction.resolved",
  "malfunction.reopened",
] as const;
export type MalfunctionEventType = (typeof MALFUNCTION_EVENTS)[number];

/** The signed head of the audit chain, once a day; not delivered to endpoints of one application either. */
export const AUDIT_EVENTS = ["audit.sealed"] as const;

/**
 * Outcome: mended by a person, recovered by itself, merged into its store's outage, or a false
 * alarm.
 */
export type MalfunctionOutcome = "MENDED" | "RECOVERED" | "MERGED" | "FALSE_ALARM";

export const WEBHOOK_EVENTS = [
  ...ORDER_EVENTS,
  ...OPENING_EVENTS,
  ...MALFUNCTION_EVENTS,
  ...AUDIT_EVENTS,
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** Test event, sent on request; outside the event sequence. */
export const TEST_EVENT = "callback.test";
export const SENT_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;
export type SentEventType = (typeof SENT_EVENTS)[number];

export const webhookEventText: Record<SentEventType, string> = {
  "order.created": "订单已创建",
  "order.depositing": "存件门已打开",
  "order.stored": "已存入，待取件",
  "order.overdue": "已滞留",
  "order.extended": "已延长存放",
  "order.moved": "已更换格口",
  "order.picking": "取件门已打开",
  "order.completed": "已取件，订单完成",
  "order.cancelled": "订单已取消",
  "order.taken_back": "已取回",
  "order.cleared": "已清柜",
  "order.exception": "订单异常",
  "order.paid": "已支付",
  "order.refunded": "已退款",
  "opening.settled": "开门结果已定",
  "opening.corrected": "开门结果已更正",
  "malfunction.created": "发生故障",
  "malfunction.resolved": "故障已结束",
  "malfunction.reopened": "故障重开",
  "audit.sealed": "操作审计校验码",
  "callback.test": "测试回调",
};

export const WEBHOOK_API_VERSION = "1" as const;

/**
 * Webhook body: thin, so that it contains no personal data; receivers query the API for details.
 */
export interface WebhookBody {
  type: SentEventType;
  /** Time of the event, ISO 8601 in UTC. */
  timestamp: string;
  apiVersion: string;
  /**
   * Gapless sequence number from 1 among the events of the tenant, or of the application that owns
   * the endpoint; 0 for a test.
   */
  tenantSeq: number;
  data: Readonly<Record<string, unknown>>;
}
