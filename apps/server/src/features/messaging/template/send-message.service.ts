// Notifies a person by text message, by WeChat subscribe message, or by text when WeChat fails.
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { builtInSms, renderSms } from "@cabinet/contract/messaging/template/sms-template.rules.ts";
import { renderKeywords } from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import {
  type Facts,
  goesBySms,
  goesBySubscription,
  usualPlan,
} from "@cabinet/contract/messaging/template/template.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Db } from "../../../platform/db/db.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { queueSms } from "../sms/index.ts";
import * as allowances from "./subscribe-allowance.sql.ts";
import * as messages from "./subscribe-message.sql.ts";
import { sendSoon } from "./template.queue.ts";
import { findMessageRoute, keyOf, type Sender, type TemplateKey } from "./template.sql.ts";

export interface MessageRequest<Scene extends MessageScenario = MessageScenario> {
  tenantId: number;
  scene: Scene;
  /** Side of the cabinet; null when both sides share the scene. */
  side: Side | null;
  /** Empty: no text message. */
  phone: string;
  /** The reader in the mini-program; null: none. */
  endUserId: number | null;
  orderId?: number;
  facts: Facts<Scene>;
}

export interface SendResult {
  smsId: number | null;
  subscribeId: number | null;
}

type SmsDraft = Parameters<typeof queueSms>[1];

/** Content of a subscribe message, sealed until the message has arrived. */
export interface SubscribeContent {
  page: string;
  data: Record<string, { value: string }>;
  /** Fallback text message in case the subscribe message does not arrive. */
  sms: SmsDraft | null;
}

export const contentOwner = (tenantId: number, endUserId: number) =>
  `subscribe message ${tenantId}/${endUserId}`;

/** Queues the message in the caller's transaction, so that it is sent exactly when the transaction commits. */
export async function sendMessage<Scene extends MessageScenario>(
  db: Db,
  outgoing: MessageRequest<Scene>,
): Promise<SendResult> {
  const { tenantId, scene, side, phone, endUserId } = outgoing;
  const key = keyOf(tenantId, scene, side);
  const route = await findMessageRoute(db, key);
  const plan = route.plan ?? usualPlan(scene);
  const sms = goesBySms(plan) && phone !== "" ? smsDraft(outgoing, route) : null;
  let subscribeId: number | null = null;
  if (goesBySubscription(plan) && route.subscribe && endUserId !== null) {
    const fallback = plan === "FALLBACK" ? sms : null;
    const { subscribe } = route;
    subscribeId = await queueSubscribe(db, {
      key,
      outgoing,
      course: route,
      subscribe,
      fallback,
    });
  }
  const isLeft = sms !== null && (plan !== "FALLBACK" || subscribeId === null);
  return { subscribeId, smsId: isLeft ? await queueSms(db, sms) : null };
}

type AnyRoute = Awaited<ReturnType<typeof findMessageRoute>>;

function factsOf({ facts }: Pick<MessageRequest, "facts">, { tenant, servicePhone }: Sender) {
  return { ...facts, tenant, servicePhone } as Readonly<Record<string, string | number>>;
}

function smsDraft(outgoing: MessageRequest, route: AnyRoute): SmsDraft {
  const { tenantId, scene, phone, orderId } = outgoing;
  const template = route.sms ?? builtInSms(scene);
  const { text, values } = renderSms(template, factsOf(outgoing, route));
  const { templateCode } = template;
  return {
    ...{ tenantId, phone, scene, text, ...(orderId && { orderId }) },
    carrier: templateCode === "" ? null : { templateCode, variables: values },
  };
}

/** Text message for these facts, without the signature. */
export async function smsTextOf<Scene extends MessageScenario>(
  db: Db,
  {
    tenantId,
    scene,
    side,
    facts,
  }: Pick<MessageRequest<Scene>, "tenantId" | "scene" | "side" | "facts">,
): Promise<string> {
  const route = await findMessageRoute(db, keyOf(tenantId, scene, side));
  return renderSms(route.sms ?? builtInSms(scene), factsOf({ facts }, route)).text;
}

interface Queueing {
  key: TemplateKey;
  outgoing: MessageRequest;
  course: AnyRoute;
  subscribe: NonNullable<AnyRoute["subscribe"]>;
  fallback: SmsDraft | null;
  /** A test message is sent even without a known allowance. */
  isTest?: true;
}

/** Null when the person has no allowance for this template. */
async function queueSubscribe(db: Db, request: Queueing): Promise<number | null> {
  const { key, outgoing, course: route, subscribe, fallback, isTest = false } = request;
  const { endUserId, tenantId, scene, orderId } = outgoing;
  const { appId } = route;
  const { templateId, page, keywords } = subscribe;
  if (endUserId === null || appId === null) return null;
  const allowance = { tenantId, appId, templateId, endUserId };
  const isCounted = await allowances.takeAllowance(db, allowance);
  if (!isCounted && !isTest) return null;
  const data = renderKeywords(keywords, factsOf(outgoing, route));
  const content: SubscribeContent = { page, data, sms: fallback };
  const id = await messages.insertMessage(db, {
    ...{ ...allowance, scene, side: key.side, orderId: orderId ?? null, isTest, isCounted },
    sealedContent: db.vault.seal(JSON.stringify(content), contentOwner(tenantId, endUserId)),
    hasFallback: fallback !== null,
  });
  await sendSoon(db, tenantId);
  await pushLive(db, { tenantId, topic: "sms", cabinetId: null });
  return id;
}

/** Sends a test by one channel, whatever the plan; null when the channel cannot reach the person. */
export async function sendByChannel(
  db: Db,
  outgoing: MessageRequest,
  channel: "SMS" | "SUBSCRIBE",
): Promise<SendResult> {
  const key = keyOf(outgoing.tenantId, outgoing.scene, outgoing.side);
  const route = await findMessageRoute(db, key);
  if (channel === "SMS") {
    return { smsId: await queueSms(db, smsDraft(outgoing, route)), subscribeId: null };
  }
  const { subscribe } = route;
  const request = { key, outgoing, course: route, fallback: null, isTest: true } as const;
  return {
    smsId: null,
    subscribeId: subscribe && (await queueSubscribe(db, { ...request, subscribe })),
  };
}
