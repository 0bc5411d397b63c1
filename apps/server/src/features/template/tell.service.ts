// Notifies a person by text message, by WeChat subscribe message, or by text when WeChat fails.
import type { Side } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import type { SmsScene } from "@cabinet/contract/sms/sms.rules.ts";
import { builtInSms, renderSms } from "@cabinet/contract/template/sms-template.rules.ts";
import { renderKeywords } from "@cabinet/contract/template/subscribe-template.rules.ts";
import {
  type Facts,
  goesBySms,
  goesBySubscription,
  usualPlan,
} from "@cabinet/contract/template/template.rules.ts";
import type { Db } from "../../platform/db.ts";
import { pushLive } from "../../platform/live.ts";
import type { Vault } from "../../platform/secrets.ts";
import { queueSms } from "../sms/index.ts";
import * as allowances from "./subscribe-allowance.sql.ts";
import * as messages from "./subscribe-message.sql.ts";
import { findCourse, keyOf, type Sender, type TemplateKey } from "./template.sql.ts";
import { sendSoon } from "./template-wishes.jobs.ts";

export interface Telling<Scene extends SmsScene = SmsScene> {
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

export interface Told {
  smsId: number | null;
  subscribeId: number | null;
}

type SmsDraft = Parameters<typeof queueSms>[2];

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
export async function tell<Scene extends SmsScene>(
  db: Db,
  vault: Vault,
  telling: Telling<Scene>,
): Promise<Told> {
  const { tenantId, scene, side, phone, endUserId } = telling;
  const key = keyOf(tenantId, scene, side);
  const course = await findCourse(db, key);
  const plan = course.plan ?? usualPlan(scene);
  const sms = goesBySms(plan) && phone !== "" ? smsDraft(telling, course) : null;
  let subscribeId: number | null = null;
  if (goesBySubscription(plan) && course.subscribe && endUserId !== null) {
    const fallback = plan === "FALLBACK" ? sms : null;
    const { subscribe } = course;
    subscribeId = await queueSubscribe(db, vault, { key, telling, course, subscribe, fallback });
  }
  const isLeft = sms !== null && (plan !== "FALLBACK" || subscribeId === null);
  return { subscribeId, smsId: isLeft ? await queueSms(db, vault, sms) : null };
}

type AnyCourse = Awaited<ReturnType<typeof findCourse>>;

function factsOf({ facts }: Pick<Telling, "facts">, { tenant, servicePhone }: Sender) {
  return { ...facts, tenant, servicePhone } as Readonly<Record<string, string | number>>;
}

function smsDraft(telling: Telling, course: AnyCourse): SmsDraft {
  const { tenantId, scene, phone, orderId } = telling;
  const template = course.sms ?? builtInSms(scene);
  const { text, values } = renderSms(template, factsOf(telling, course));
  const { templateCode } = template;
  return {
    ...{ tenantId, phone, scene, text, ...(orderId && { orderId }) },
    carrier: templateCode === "" ? null : { templateCode, variables: values },
  };
}

/** Text message for these facts, without the signature. */
export async function smsTextOf<Scene extends SmsScene>(
  db: Db,
  { tenantId, scene, side, facts }: Pick<Telling<Scene>, "tenantId" | "scene" | "side" | "facts">,
): Promise<string> {
  const course = await findCourse(db, keyOf(tenantId, scene, side));
  return renderSms(course.sms ?? builtInSms(scene), factsOf({ facts }, course)).text;
}

interface Queueing {
  key: TemplateKey;
  telling: Telling;
  course: AnyCourse;
  subscribe: NonNullable<AnyCourse["subscribe"]>;
  fallback: SmsDraft | null;
  /** A test message is sent even without a known allowance. */
  isTest?: true;
}

/** Null when the person has no allowance for this template. */
async function queueSubscribe(db: Db, vault: Vault, wish: Queueing): Promise<number | null> {
  const { key, telling, course, subscribe, fallback, isTest = false } = wish;
  const { endUserId, tenantId, scene, orderId } = telling;
  const { appId } = course;
  const { templateId, page, keywords } = subscribe;
  if (endUserId === null || appId === null) return null;
  const allowance = { tenantId, appId, templateId, endUserId };
  const isCounted = await allowances.takeAllowance(db, allowance);
  if (!isCounted && !isTest) return null;
  const data = renderKeywords(keywords, factsOf(telling, course));
  const content: SubscribeContent = { page, data, sms: fallback };
  const id = await messages.insertMessage(db, {
    ...{ ...allowance, scene, side: key.side, orderId: orderId ?? null, isTest, isCounted },
    sealedContent: vault.seal(JSON.stringify(content), contentOwner(tenantId, endUserId)),
    hasFallback: fallback !== null,
  });
  await sendSoon(db, tenantId);
  await pushLive(db, { tenantId, topic: "sms", cabinetId: null });
  return id;
}

/** Sends a test by one channel, whatever the plan; null when the channel cannot reach the person. */
export async function tellByChannel(
  db: Db,
  vault: Vault,
  telling: Telling,
  channel: "SMS" | "SUBSCRIBE",
): Promise<Told> {
  const key = keyOf(telling.tenantId, telling.scene, telling.side);
  const course = await findCourse(db, key);
  if (channel === "SMS") {
    return { smsId: await queueSms(db, vault, smsDraft(telling, course)), subscribeId: null };
  }
  const { subscribe } = course;
  const wish = { key, telling, course, fallback: null, isTest: true } as const;
  return {
    smsId: null,
    subscribeId: subscribe && (await queueSubscribe(db, vault, { ...wish, subscribe })),
  };
}
