// Rules that select the recipients of malfunction notices: read, change, test.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type {
  maintenanceMessageContract,
  RuleBody,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import {
  defaultRule,
  isTenantKind,
  noticeFacts,
  RULE_KINDS,
  type RuleKind,
  type RuleSettings,
  ruleKindText,
  ruleProblem,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { invalid, refuse, refuseOutdated, requireUnedited } from "../../../platform/errors.ts";
import { findStore, requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { smsTextOf } from "../template/index.ts";
import * as repo from "./maintenance-rule.sql.ts";
import { notifyStaff } from "./staff-notice.service.ts";

type Contract = typeof maintenanceMessageContract;

/** The rule in force for a kind, and its owner. */
export async function ruleFor(
  db: Db,
  tenantId: number,
  kind: RuleKind,
): Promise<RuleSettings & { kind: RuleKind }> {
  return (await repo.findRuleFor(db, tenantId, kind)) ?? { ...defaultRule, kind: "*" };
}

export async function listRules(ctx: Ctx, asked?: number): Promise<Reply<Contract["rules"]>> {
  const tenant = await requireTenant(ctx, asked);
  const [rows, named] = await Promise.all([
    repo.findRules(ctx.db, tenant.id),
    repo.findNamed(ctx.db, tenant.id),
  ]);
  const ofKind = new Map(rows.map((row) => [row.kind, row]));
  const general = ofKind.get("*");
  const rules = RULE_KINDS.map((kind): Reply<Contract["rules"]>["rules"][number] => {
    const own = ofKind.get(kind);
    const row = own ?? general;
    const of = named.filter((account) => account.kind === row?.kind);
    return {
      ...(row ?? defaultRule),
      kind,
      source: own ? "OWN" : general ? "TENANT" : "HOUSE",
      recipients: of.filter(({ step }) => step === "FIRST"),
      escalation: of.filter(({ step }) => step === "ESCALATION"),
      editVersion: own?.editVersion ?? 0,
      editedAt: own?.editedAt ?? null,
      editedBy: own?.editedBy ?? "",
    };
  });
  return { tenantId: tenant.id, tenantName: tenant.name, rules };
}

export async function listAccounts(ctx: Ctx, asked?: number): Promise<Reply<Contract["accounts"]>> {
  const tenant = await requireTenant(ctx, asked);
  return repo.findAccounts(ctx.db, tenant.id);
}

export async function saveRule(
  ctx: Ctx,
  { kind, tenantId, editVersion, ...draft }: RuleBody,
): Promise<null> {
  requireAllStores(ctx, "维护消息规则");
  const tenant = await requireTenant(ctx, tenantId);
  const problem = ruleProblem(draft, kind);
  if (problem) invalid(problem);
  const before = await repo.lockRule(ctx.db, tenant.id, kind);
  requireUnedited(before, editVersion);
  const names = await repo.findAccountNames(ctx.db, tenant.id, [
    ...draft.recipientIds,
    ...draft.escalationIds,
  ]);
  const namesOf = (ids: readonly number[]) =>
    ids.map((id) => names.get(id) ?? refuse("NOT_FOUND", { what: "所选账号" }));
  const [recipients, escalation] = [draft.recipientIds, draft.escalationIds].map(namesOf);
  const named = before && (await namesBefore(ctx.db, tenant.id, kind));
  const editedBy = ctx.session.signature;
  const at = { tenantId: tenant.id, kind, isNew: before === null, editedBy };
  if (!(await repo.writeRule(ctx.db, at, draft))) refuseOutdated(before?.editedBy);
  const { recipientIds: _, escalationIds: __, ...settings } = draft;
  ctx.audit({
    tenantId: tenant.id,
    target: `维护消息规则 ${tenant.name}：${ruleKindText[kind]}`,
    before: before && { ...settingsOf(before), ...named },
    after: { ...settings, recipients, escalation },
  });
  return null;
}

function settingsOf({
  kind: _,
  editVersion: __,
  editedAt: ___,
  editedBy: ____,
  ...row
}: repo.RuleRow) {
  return row;
}

async function namesBefore(db: Db, tenantId: number, kind: RuleKind) {
  const named = (await repo.findNamed(db, tenantId)).filter((account) => account.kind === kind);
  const of = (step: string) => named.filter((each) => each.step === step).map(({ name }) => name);
  return { recipients: of("FIRST"), escalation: of("ESCALATION") };
}

export async function resetRule(
  ctx: Ctx,
  { kind, tenantId }: Input<Contract["resetRule"]>["query"],
): Promise<null> {
  requireAllStores(ctx, "维护消息规则");
  const tenant = await requireTenant(ctx, tenantId);
  const before = await repo.lockRule(ctx.db, tenant.id, kind);
  if (!before) refuse("NOT_FOUND", { what: "这一类自己的规则" });
  const named = await namesBefore(ctx.db, tenant.id, kind);
  await repo.deleteRule(ctx.db, tenant.id, kind);
  ctx.audit({
    tenantId: tenant.id,
    target: `维护消息规则 ${tenant.name}：${ruleKindText[kind]} 恢复默认`,
    before: { ...settingsOf(before), ...named },
  });
  return null;
}

type Asked = Input<Contract["plan"]>["query"];

/** Place and rule of a test. */
async function occasionOf(ctx: Ctx, { kind, storeId, tenantId: asked }: Asked) {
  const tenant = await requireTenant(ctx, asked);
  const found = storeId ? await findStore(ctx.db, ctx.session, storeId) : null;
  if (storeId && found?.tenantId !== tenant.id) refuse("NOT_FOUND", { what: "门店" });
  const rule = await ruleFor(ctx.db, tenant.id, kind);
  // A kind of the whole tenant has no store, whichever was requested.
  if (isTenantKind(kind)) {
    return { tenant, rule, place: tenant.name, occasion: { tenantId: tenant.id, storeId: null } };
  }
  return {
    tenant,
    rule,
    place: found?.name ?? "某门店",
    occasion: { tenantId: tenant.id, storeId: found?.id ?? null },
  };
}

export async function planOf(ctx: Ctx, asked: Asked): Promise<Reply<Contract["plan"]>> {
  const { rule, occasion, place } = await occasionOf(ctx, asked);
  const { first, isFallback } = await firstRecipients(ctx.db, occasion, rule);
  const escalation =
    rule.escalateMinutes === null || isTenantKind(asked.kind)
      ? []
      : await repo.findRecipients(ctx.db, occasion, "ESCALATION", rule);
  const smsText = await smsTextOf(ctx.db, {
    ...{ tenantId: occasion.tenantId, scene: "MALFUNCTION", side: null },
    facts: noticeFacts({ step: "TEST", kind: asked.kind, place, detail: "" }),
  });
  return { place, first: first.map(shown), isFallback, escalation: escalation.map(shown), smsText };
}

/** Recipients of the rule; if there are none, the accounts that can fix the rule. */
export async function firstRecipients(
  db: Db,
  occasion: repo.Occasion,
  rule: RuleSettings & { kind: RuleKind },
): Promise<{ first: repo.Recipient[]; isFallback: boolean }> {
  const first = await repo.findRecipients(db, occasion, "FIRST", rule);
  if (first.length > 0) return { first, isFallback: false };
  return { first: await repo.findKeepers(db, occasion.tenantId), isFallback: true };
}

const shown = ({ phone, ...account }: repo.Recipient) => ({
  ...account,
  hasPhone: phone !== "",
  isDisabled: false,
});

export async function sendTest(ctx: Ctx, asked: Asked): Promise<Reply<Contract["test"]>> {
  requireAllStores(ctx, "维护消息规则");
  const { rule, occasion, place, tenant } = await occasionOf(ctx, asked);
  const { first } = await firstRecipients(ctx.db, occasion, rule);
  if (first.length === 0) refuse("NOBODY_TO_TELL");
  const message = { step: "TEST" as const, kind: asked.kind, place, detail: "" };
  const notified = await notifyStaff(ctx.db, {
    ...message,
    tenantId: tenant.id,
    malfunctionId: null,
    recipients: first,
    byConsole: rule.byConsole,
    bySms: rule.bySms,
    smsDueAt: null,
  });
  ctx.audit({
    tenantId: tenant.id,
    target: `维护消息测试 ${tenant.name}：${ruleKindText[asked.kind]}`,
    after: { place, recipients: first.map(({ name }) => name) },
  });
  const count = (state: string) => notified.filter(({ smsState }) => smsState === state).length;
  return {
    told: notified.length,
    queued: count("QUEUED"),
    noPhone: count("NO_PHONE"),
    capped: count("CAPPED"),
  };
}
