// 消息模板: texts and delivery plans of a tenant's messages, with editing and tests.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { SMS_SCENES, type SmsScene, smsSceneText } from "@cabinet/contract/sms/sms.rules.ts";
import { smsCodeText } from "@cabinet/contract/sms/sms-carrier.rules.ts";
import { builtInSms, smsTemplateProblem } from "@cabinet/contract/template/sms-template.rules.ts";
import { subscribeTemplateProblem } from "@cabinet/contract/template/subscribe-template.rules.ts";
import type {
  MessageTemplate,
  templateContract,
} from "@cabinet/contract/template/template.contract.ts";
import {
  channelText,
  type Facts,
  planText,
  sampleFacts,
  sceneSpecs,
  usualPlan,
  variables,
} from "@cabinet/contract/template/template.rules.ts";
import { countAsk } from "../../platform/ask-limit.sql.ts";
import type { Ctx } from "../../platform/context.ts";
import { invalid, Refusal, refuse, refuseOutdated } from "../../platform/errors.ts";
import type { Vault } from "../../platform/secrets.ts";
import { findSmsChannel } from "../sms/index.ts";
import { requireAllStores } from "../store/index.ts";
import { requireTenant } from "../tenant/index.ts";
import { findSmsSign, tellsOverdue } from "../tenant-setting/index.ts";
import { findBound, findByPhone } from "./subscribe-allowance.sql.ts";
import { tellByChannel } from "./tell.service.ts";
import * as store from "./template.sql.ts";

type Contract = typeof templateContract;

export async function listTemplates(
  ctx: Ctx,
  { side, tenantId: asked }: Input<Contract["list"]>["query"],
): Promise<Reply<Contract["list"]>> {
  const { id: tenantId, name: tenantName } = await requireTenant(ctx, asked);
  const keys = SMS_SCENES.map((scene) => store.keyOf(tenantId, scene, side));
  const { db } = ctx;
  const [rows, texts, smsSign, appId, isOverdueTold, channel] = await Promise.all([
    store.findTemplates(db, tenantId, side),
    store.findPlatformTexts(db, keys),
    findSmsSign(db, tenantId),
    store.findAppId(db, tenantId),
    tellsOverdue(db, tenantId),
    findSmsChannel(db),
  ]);
  const own = new Map(rows.map((row) => [row.scene, row]));
  const platform = new Map(texts.map(({ scene, sms }) => [scene, sms]));
  const worded = SMS_SCENES.map((scene) => templateOf(scene, own.get(scene), platform.get(scene)));
  const codes = worded.map(({ sms }) => sms.templateCode).filter((code) => code !== "");
  const failures = await store.findSmsFailures(db, tenantId, codes);
  const failureOf = new Map(failures.map((failure) => [failure.templateCode, failure]));
  const templates = worded.map((template) => {
    const failure = failureOf.get(template.sms.templateCode);
    if (!failure) return template;
    const { code, text, at } = failure;
    return { ...template, smsProblem: smsCodeText(code) ?? (text || code), smsProblemAt: at };
  });
  return {
    ...{ tenantId, tenantName, smsSign, templates },
    ...{ hasMiniProgram: appId !== null, tellsOverdue: isOverdueTold },
    hasCarrier: channel?.isOn ?? false,
  };
}

function templateOf(
  scene: SmsScene,
  row: store.TemplateRow | undefined,
  platform: MessageTemplate["sms"] | undefined,
): MessageTemplate {
  const own = row?.sms;
  return {
    scene,
    plan: row?.plan ?? usualPlan(scene),
    sms: own ?? platform ?? builtInSms(scene),
    smsSource: own ? "OWN" : platform ? "PLATFORM" : "BUILT_IN",
    smsProblem: null,
    smsProblemAt: null,
    subscribe: row?.subscribe ?? null,
    subscribeProblem: row?.subscribeProblem || null,
    subscribeProblemAt: row?.subscribeProblemAt ?? null,
    editVersion: row?.editVersion ?? 0,
    editedAt: row?.editedAt ?? null,
    editedBy: row?.editedBy ?? "",
  };
}

export async function saveTemplate(ctx: Ctx, body: Input<Contract["save"]>["body"]): Promise<null> {
  const { tenantId: asked, side, scene, editVersion, ...draft } = body;
  requireAllStores(ctx, "消息模板");
  const tenant = await requireTenant(ctx, asked);
  const problem =
    planProblem(scene, draft) ??
    (draft.sms && smsTemplateProblem(scene, draft.sms)) ??
    (draft.subscribe && subscribeTemplateProblem(scene, draft.subscribe));
  if (problem) invalid(problem);
  const key = store.keyOf(tenant.id, scene, side);
  const before = await store.lockTemplate(ctx.db, key);
  if ((before?.editVersion ?? 0) !== editVersion) {
    refuseOutdated(before?.editedBy);
  }
  await store.writeTemplate(ctx.db, key, { ...draft, editedBy: ctx.session.displayName });
  ctx.audit({
    tenantId: tenant.id,
    target: `消息模板 ${tenant.name}：${nameOf(key)}`,
    before: before && auditOf(before),
    after: auditOf(draft),
  });
  return null;
}

type Draft = Pick<store.TemplateRow, "plan" | "sms" | "subscribe">;

function planProblem(scene: SmsScene, { plan, subscribe }: Draft): string | null {
  const { plans } = sceneSpecs[scene];
  if (!plans.includes(plan)) return `“${smsSceneText[scene]}”不能选择“${planText[plan]}”`;
  const isShared = !plans.includes("SUBSCRIBE") && !plans.includes("FALLBACK");
  if (subscribe && isShared) return `“${smsSceneText[scene]}”只能发短信，没有订阅消息`;
  // The default plan may be saved before a template is: then no subscribe message goes out.
  const needs = plan === "FALLBACK" || plan === "BOTH";
  return needs && !subscribe ? `选择“${planText[plan]}”时，须填写订阅消息模板` : null;
}

const nameOf = ({ scene, side }: store.TemplateKey) =>
  side === "BOTH"
    ? smsSceneText[scene]
    : `${side === "SINGLE" ? "单面" : "双面"} · ${smsSceneText[scene]}`;

function auditOf({ plan, sms, subscribe }: Draft) {
  return {
    plan: planText[plan],
    text: sms?.text ?? "默认内容",
    templateCode: sms?.templateCode ?? "",
    placeholders: (sms?.placeholders ?? []).map(
      ({ name, variable }) => `${name}：${variables[variable].title}`,
    ),
    templateId: subscribe?.templateId ?? "",
    keywords: (subscribe?.keywords ?? []).map(
      ({ name, title, variable, text }) =>
        `${title || name}：${variable === null ? text : variables[variable].title}`,
    ),
    page: subscribe?.page ?? "",
  };
}

export async function resetTemplate(
  ctx: Ctx,
  { tenantId: asked, side, scene }: Input<Contract["reset"]>["query"],
): Promise<null> {
  requireAllStores(ctx, "消息模板");
  const tenant = await requireTenant(ctx, asked);
  const key = store.keyOf(tenant.id, scene, side);
  const before = await store.lockTemplate(ctx.db, key);
  if (!before) refuse("NOT_FOUND", { what: "这个场景自己的模板" });
  await store.deleteTemplate(ctx.db, key);
  ctx.audit({
    tenantId: tenant.id,
    target: `消息模板 ${tenant.name}：${nameOf(key)} 恢复默认`,
    before: auditOf(before),
  });
  return null;
}

/** Rate limit of tests: each costs the tenant money and its reader attention. */
const TESTS_PER_TENANT = [{ max: 30, seconds: 3600 }];

/** Sends a test of the saved template with sample facts, at once, whatever the scene's plan. */
export async function sendTest(
  ctx: Ctx,
  vault: Vault,
  body: Input<Contract["test"]>["body"],
): Promise<Reply<Contract["test"]> | Refusal> {
  const { tenantId: asked, side, scene, channel, phone } = body;
  requireAllStores(ctx, "消息模板");
  const tenant = await requireTenant(ctx, asked);
  const seconds = await countAsk(ctx.db, `template-test:${tenant.id}`, TESTS_PER_TENANT);
  if (seconds > 0) return new Refusal("RATE_LIMITED", { seconds });
  const key = store.keyOf(tenant.id, scene, side);
  const endUserId = channel === "SUBSCRIBE" ? await subscriberOf(ctx, key, phone) : null;
  const facts = sampleFacts(scene) as unknown as Facts;
  const telling = { tenantId: tenant.id, scene, side, phone, endUserId, facts };
  const told = await tellByChannel(ctx.db, vault, telling, channel);
  ctx.audit({
    tenantId: tenant.id,
    target: `测试消息 ${tenant.name}：${nameOf(key)}（${channelText[channel]}）`,
    after: { phone: maskPhone(phone) },
  });
  return told;
}

async function subscriberOf(ctx: Ctx, key: store.TemplateKey, phone: string): Promise<number> {
  const { tenantId } = key;
  if ((await store.findAppId(ctx.db, tenantId)) === null) refuse("MINI_PROGRAM_NOT_SET");
  const { subscribe } = await store.findCourse(ctx.db, key);
  if (!subscribe) refuse("SUBSCRIBE_TEMPLATE_MISSING");
  const endUserId = await findByPhone(ctx.db, { tenantId, phone });
  const isBound = endUserId !== null && (await findBound(ctx.db, { tenantId, endUserId }));
  return isBound ? endUserId : refuse("NO_SUBSCRIBER");
}
