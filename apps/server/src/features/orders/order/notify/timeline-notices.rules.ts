// Pure rules for timeline entries about notifications: text messages, WeChat messages, webhooks.

import type { SmsMessage } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { messageScenarioText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import type { SubscribeMessage } from "@cabinet/contract/messaging/template/template.contract.ts";
import {
  type DeliveryState,
  deliveryStateText,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import {
  type SentEventType,
  webhookEventText,
} from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type { TimelineEntry } from "@cabinet/contract/orders/order/order.contract.ts";

/** Delivery of one event to one webhook endpoint. */
export interface WebhookRow {
  eventId: number;
  at: string;
  type: SentEventType;
  endpointName: string;
  state: DeliveryState;
  attempts: number;
}

/** Default fields of an entry, empty for most kinds. */
export const plain = {
  note: null,
  actorName: null,
  isProblem: false,
  toState: null,
  amountFen: null,
  command: null,
  sms: null,
  subscribe: null,
} as const;

export function smsEntry(sms: SmsMessage): TimelineEntry {
  const { id, createdAt, scene, phone, segments, state, resendOf, resentById } = sms;
  const to = phone ? `发往 ${phone}` : "收信的用户已注销";
  return {
    ...plain,
    key: `sms-${id}`,
    at: createdAt,
    source: "SMS",
    text: `${resendOf === null ? "短信" : "重发短信"}：${messageScenarioText[scene]}`,
    note: `${to}，${segments} 条`,
    isProblem: state === "FAILED" && resentById === null,
    sms,
  };
}

export function subscribeEntry(subscribe: SubscribeMessage): TimelineEntry {
  const { id, createdAt, scene, phone, state, smsId } = subscribe;
  return {
    ...plain,
    key: `subscribe-${id}`,
    at: createdAt,
    source: "SUBSCRIBE",
    text: `订阅消息：${messageScenarioText[scene]}`,
    note: phone ? `发往 ${phone} 的微信` : "收信的用户已注销",
    isProblem: (state === "FAILED" || state === "UNKNOWN") && smsId === null,
    subscribe,
  };
}

/** One entry per event, with the delivery to every endpoint. */
export function webhookEntry(deliveries: readonly WebhookRow[]): TimelineEntry | null {
  const [first] = deliveries;
  if (!first) return null;
  const note = deliveries.map(({ endpointName, state, attempts }) => {
    const tries = attempts > 1 ? `（${attempts} 次请求）` : "";
    return `${endpointName} ${deliveryStateText[state]}${tries}`;
  });
  return {
    ...plain,
    key: `callback-${first.eventId}`,
    at: first.at,
    source: "CALLBACK",
    text: `回调：${webhookEventText[first.type]}`,
    note: note.join("；"),
    isProblem: deliveries.some(({ state }) => state === "DEAD"),
  };
}
