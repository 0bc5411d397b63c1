// What third parties can be told: the kinds of events, how each reads, and the body that carries them.

export const ORDER_EVENTS = [
  "order.created",
  "order.depositing",
  "order.stored",
  "order.overdue",
  "order.extended",
  "order.picking",
  "order.completed",
  "order.cancelled",
  "order.taken_back",
  "order.cleared",
  "order.exception",
  "order.paid",
  "order.refunded",
] as const;

/** Whoever hears of one program's orders alone does not hear of these. */
export const MALFUNCTION_EVENTS = [
  "malfunction.created",
  "malfunction.resolved",
  "malfunction.reopened",
] as const;
export type MalfunctionEventType = (typeof MALFUNCTION_EVENTS)[number];

/** How it ended: mended by somebody, over by itself, taken over by its store's outage, no malfunction at all. */
export type MalfunctionOutcome = "MENDED" | "RECOVERED" | "MERGED" | "FALSE_ALARM";

export const CALLBACK_EVENTS = [...ORDER_EVENTS, ...MALFUNCTION_EVENTS] as const;
export type CallbackEventType = (typeof CALLBACK_EVENTS)[number];

/** Asked for by hand; belongs to no sequence. */
export const TEST_EVENT = "callback.test";
export const SENT_EVENTS = [...CALLBACK_EVENTS, TEST_EVENT] as const;
export type SentEventType = (typeof SENT_EVENTS)[number];

export const callbackEventText: Record<SentEventType, string> = {
  "order.created": "订单已创建",
  "order.depositing": "存件门已打开",
  "order.stored": "已存入，待取件",
  "order.overdue": "已滞留",
  "order.extended": "已延长存放",
  "order.picking": "取件门已打开",
  "order.completed": "已取件，订单完成",
  "order.cancelled": "订单已取消",
  "order.taken_back": "已取回",
  "order.cleared": "已清柜",
  "order.exception": "订单异常",
  "order.paid": "已支付",
  "order.refunded": "已退款",
  "malfunction.created": "发生故障",
  "malfunction.resolved": "故障已结束",
  "malfunction.reopened": "故障重开",
  "callback.test": "测试回调",
};

export const CALLBACK_API_VERSION = "1";

/** What is sent: thin, so that nothing personal leaves the house. Whoever wants more asks for it. */
export interface CallbackBody {
  type: SentEventType;
  /** When it happened, ISO 8601 in UTC. */
  timestamp: string;
  apiVersion: string;
  /** Its place among all events of the tenant, or of the third party whose address it is, from 1 without gaps; 0 for a test. */
  tenantSeq: number;
  data: Readonly<Record<string, unknown>>;
}
