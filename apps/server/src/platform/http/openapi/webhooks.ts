// The `webhooks` section of the API document: every event that third parties receive.
import {
  SENT_EVENTS,
  type SentEventType,
  webhookEventText,
} from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { webhookBodySchema } from "@cabinet/contract/webhook-events.ts";
import type { NamedSchemas } from "./named-schemas.ts";
import { type Schema, sampleOf } from "./sample.ts";

const header = (name: string, description: string, example: string) => ({
  ...{ name, in: "header", required: true, description },
  ...{ schema: { type: "string" }, example },
});

const headers = [
  header(
    "webhook-id",
    "事件的编号，重试时不变：按它去重",
    "evt_1f0c0a52-6d2c-4b7e-a3cc-0f6a2f0c9f11",
  ),
  header("webhook-timestamp", "这次发送的 unix 秒", "1795305600"),
  header(
    "webhook-signature",
    "一个或多个签名，空格分开（Standard Webhooks 1.0）",
    "v1,/KXttQLh9YhyPPxTysL2N2sZ7QkQfWvQNyMDxIQ/yao=",
  ),
];

export function webhooks(named: NamedSchemas) {
  return Object.fromEntries(SENT_EVENTS.map((type) => [type, { post: webhook(type, named) }]));
}

function webhook(type: SentEventType, named: NamedSchemas) {
  const schema = webhookBodySchema(type) as Schema;
  return {
    operationId: `webhook.${type}`,
    summary: webhookEventText[type],
    description:
      "本系统推送到登记的回调地址。先验证签名，再按 webhook-id 去重，10 秒之内响应 2XX。",
    // The address is the receiver's: the signature in the headers proves the sender, no scheme of this API.
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: named.answer(schema), example: sampleOf(schema, new Map()) },
      },
    },
    responses: {
      "2XX": { description: "收到，正文不看：10 秒之内响应" },
      410: { description: "不再接收：地址停用，不再重试" },
      default: { description: "失败，按时间表重试" },
    },
  };
}
