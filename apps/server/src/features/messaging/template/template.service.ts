// 消息模板: texts and delivery plans of a tenant's messages, with editing and tests.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import {
  MESSAGE_SCENARIOS,
  type MessageScenario,
  messageScenarioText,
} from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { smsCodeText } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import {
  builtInSms,
  smsTemplateProblem,
} from "@cabinet/contract/messaging/template/sms-template.rules.ts";
import { subscribeTemplateProblem } from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import type {
  MessageTemplate,
  templateContract,
} from "@cabinet/contract/messaging/template/template.contract.ts";
import {
  channelText,
  type Facts,
  planText,
  sampleFacts,
  scenarioSpecs,
  usualPlan,
  variables,
} from "@cabinet/contract/messaging/template/template.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { invalid, Refusal, refuse, requireUnedited } from "../../../platform/errors.ts";
import { countAsk } from "../../../platform/limits/rate-limit.sql.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { findSmsSign, sendsOverdueNotices } from "../../organization/tenant-setting/index.ts";
import { findSmsChannel } from "../sms/index.ts";
import { sendByChannel } from "./send-message.service.ts";
import { findBound, findByPhone } from "./subscribe-allowance.sql.ts";
import * as repo from "./template.sql.ts";

type Contract = typeof templateContract;

export async function listTemplates(
  ctx: Ctx,
  { side, tenantId: asked }: Input<Contract["list"]>["query"],
): Promise<Reply<Contract["list"]>> {
  const { id: tenantId, name: tenantName } = await requireTenant(ctx, asked);
  const keys = MESSAGE_SCENARIOS.map((scene) => repo.keyOf(tenantId, scene, side));
  const { db } = ctx;
  const [rows, texts, smsSign, appId, isOverdueOn, channel] = await Promise.all([
    repo.findTemplates(db, tenantId, side),
    repo.findPlatformTexts(db, keys),
    findSmsSign(db, tenantId),
    repo.findAppId(db, tenantId),
    sendsOverdueNotices(db, tenantId),
    findSmsChannel(db),
  ]);
  const own = new Map(rows.map((row) => [row.scene, row]));
  const platform = new Map(texts.map(({ scene, sms }) => [scene, sms]));
  const worded = MESSAGE_SCENARIOS.map((scene) =>
    templateOf(scene, own.get(scene), platform.get(scene)),
  );
  const codes = worded.map(({ sms }) => sms.templateCode).filter((code) => code !== "");
  const failures = await repo.findSmsFailures(db, tenantId, codes);
  const failureOf = new Map(failures.map((failure) => [failure.templateCode, failure]));
  const templates = worded.map((template) => {
    const failure = failureOf.get(template.sms.templateCode);
    if (!failure) return template;
    const { code, text, at } = failure;
    return { ...template, smsProblem: smsCodeText(code) ?? (text || code), smsProblemAt: at };
  });
  return {
    ...{ tenantId, tenantName, smsSign, templates },
    ...{ hasMiniProgram: appId !== null, tellsOverdue: isOverdueOn },
    hasCarrier: channel?.isOn ?? false,
  };
}

function templateOf(
  scene: MessageScenario,
  row: repo.TemplateRow | undefined,
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
  const key = repo.keyOf(tenant.id, scene, side);
  const before = await repo.lockTemplate(ctx.db, key);
  requireUnedited(before, editVersion);
  await repo.writeTemplate(ctx.db, key, { ...draft, editedBy: ctx.session.signature });
  ctx.audit({
    tenantId: tenant.id,
    target: `消息模板 ${tenant.name}：${nameOf(key)}`,
    before: before && auditOf(before),
    after: auditOf(draft),
  });
  return null;
}

type Draft = Pick<repo.TemplateRow, "plan" | "sms" | "subscribe">;

function planProblem(scene: MessageScenario, { plan, subscribe }: Draft): string | null {
  const { plans } = scenarioSpecs[scene];
  if (!plans.includes(plan)) return `“${messageScenarioText[scene]}”不能选择“${planText[plan]}”`;
  const isShared = !plans.includes("SUBSCRIBE") && !plans.includes("FALLBACK");
  if (subscribe && isShared) return `“${messageScenarioText[scene]}”只能发短信，没有订阅消息`;
  // The default plan may be saved before a template is: then no subscribe message goes out.
  const needs = plan === "FALLBACK" || plan === "BOTH";
  return needs && !subscribe ? `选择“${planText[plan]}”时，须填写订阅消息模板` : null;
}

const nameOf = ({ scene, side }: repo.TemplateKey) =>
  side === "BOTH"
    ? messageScenarioText[scene]
    : `${{ SINGLE: "单面", DOUBLE: "双面" }[side]} · ${messageScenarioText[scene]}`;

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
  const key = repo.keyOf(tenant.id, scene, side);
  const before = await repo.lockTemplate(ctx.db, key);
  if (!before) refuse("NOT_FOUND", { what: "这个场景自己的模板" });
  await repo.deleteTemplate(ctx.db, key);
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
  body: Input<Contract["test"]>["body"],
): Promise<Reply<Contract["test"]> | Refusal> {
  const { tenantId: asked, side, scene, channel, phone } = body;
  requireAllStores(ctx, "消息模板");
  const tenant = await requireTenant(ctx, asked);
  const seconds = await countAsk(ctx.db, `template-test:${tenant.id}`, TESTS_PER_TENANT);
  if (seconds > 0) return new Refusal("RATE_LIMITED", { seconds });
  const key = repo.keyOf(tenant.id, scene, side);
  const endUserId = channel === "SUBSCRIBE" ? await subscriberOf(ctx, key, phone) : null;
  const facts = sampleFacts(scene) as unknown as Facts;
  const message = { tenantId: tenant.id, scene, side, phone, endUserId, facts };
  const result = await sendByChannel(ctx.db, message, channel);
  ctx.audit({
    tenantId: tenant.id,
    target: `测试消息 ${tenant.name}：${nameOf(key)}（${channelText[channel]}）`,
    after: { phone: maskPhone(phone) },
  });
  return result;
}

async function subscriberOf(ctx: Ctx, key: repo.TemplateKey, phone: string): Promise<number> {
  const { tenantId } = key;
  if ((await repo.findAppId(ctx.db, tenantId)) === null) refuse("MINI_PROGRAM_NOT_SET");
  const { subscribe } = await repo.findMessageRoute(ctx.db, key);
  if (!subscribe) refuse("SUBSCRIBE_TEMPLATE_MISSING");
  const endUserId = await findByPhone(ctx.db, { tenantId, phone });
  const isBound = endUserId !== null && (await findBound(ctx.db, { tenantId, endUserId }));
  return isBound ? endUserId : refuse("NO_SUBSCRIBER");
}
