// Actions on questions: create, edit, order, publish; a tenant hides platform questions that it answers itself.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type {
  FaqDetail,
  FaqDraft,
  faqContract,
} from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { plainTextOf } from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import { type Ctx, isPlatformStaff } from "../../../platform/context.ts";
import { refuse, requireUnedited } from "../../../platform/errors.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { PLATFORM_TENANT_ID, requireTenant } from "../../organization/tenant/index.ts";
import { dropImages, replaceImages, takeRichText } from "../rich-text/index.ts";
import * as repo from "./faq.sql.ts";
import { lockCategory } from "./faq-category.sql.ts";
import {
  findOfPlatform,
  findOneOfPlatform,
  hideFaq,
  type PlatformQuery,
} from "./faq-reader.sql.ts";

type Contract = typeof faqContract;

export async function getFaq(ctx: Ctx, id: number): Promise<FaqDetail> {
  return (await repo.findFaq(ctx.db, ctx.session, id)) ?? refuse("NOT_FOUND", { what: "问题" });
}

/** The question belongs to its category's tenant. */
export async function createFaq(ctx: Ctx, draft: FaqDraft): Promise<Reply<Contract["create"]>> {
  const category = await lockCategory(ctx.db, ctx.session, draft.categoryId);
  if (!category) refuse("NOT_FOUND", { what: "分类" });
  const { tenantId } = category;
  requireMayWrite(ctx, tenantId);
  const values = valuesOf(draft);
  const id = await repo.insertFaq(ctx.db, tenantId, { ...values, by: ctx.session.signature });
  await replaceImages(ctx.db, { tenantId, html: values.answer, faqId: id });
  const after = { ...shown(values), category: category.name };
  ctx.audit({ tenantId, target: nameOf(values), after });
  return { id };
}

export async function updateFaq(
  ctx: Ctx,
  id: number,
  { editVersion, ...draft }: Input<Contract["update"]>["body"],
): Promise<null> {
  const row = await lock(ctx, id);
  const { tenantId } = row;
  requireUnedited(row, editVersion);
  const isOfTenant = await repo.findCategoryAudience(ctx.db, tenantId, draft.categoryId);
  if (!isOfTenant) refuse("NOT_FOUND", { what: "分类" });
  const values = valuesOf(draft);
  const before = await getFaq(ctx, id);
  await repo.updateFaq(ctx.db, row, { ...values, by: ctx.session.signature });
  await replaceImages(ctx.db, { tenantId, html: values.answer, faqId: id });
  const { category } = await getFaq(ctx, id);
  ctx.audit({
    tenantId,
    target: nameOf(values),
    before: { ...shown(before), category: before.category },
    after: { ...shown(values), category },
  });
  return null;
}

export async function turnFaq(ctx: Ctx, id: number, isOn: boolean): Promise<null> {
  const row = await lock(ctx, id);
  await repo.turnFaq(ctx.db, row, { isOn, by: ctx.session.signature });
  const { tenantId } = row;
  ctx.audit({ tenantId, target: nameOf(row), before: { isOn: row.isOn }, after: { isOn } });
  return null;
}

export async function moveFaq(
  ctx: Ctx,
  id: number,
  step: "up" | "down",
): Promise<{ isMoved: boolean }> {
  const row = await lock(ctx, id);
  const isMoved = await repo.swapFaq(ctx.db, row, step);
  ctx.audit({ tenantId: row.tenantId, target: nameOf(row), after: { step, isMoved } });
  return { isMoved };
}

export async function deleteFaq(ctx: Ctx, id: number): Promise<null> {
  const row = await lock(ctx, id);
  const { tenantId } = row;
  const before = await getFaq(ctx, id);
  await dropImages(ctx.db, { tenantId, kept: [], faqId: id });
  await repo.deleteFaq(ctx.db, row);
  ctx.audit({
    tenantId,
    target: nameOf(row),
    before: { ...shown(before), category: before.category },
  });
  return null;
}

export async function listOfPlatform(
  ctx: Ctx,
  { tenantId: asked, ...query }: PlatformQuery & { tenantId?: number },
) {
  const { id: tenantId } = await requireTenant(ctx, asked);
  return findOfPlatform(ctx.db, tenantId, query);
}

export async function hideOfPlatform(
  ctx: Ctx,
  id: number,
  { isHidden, tenantId: asked }: Input<Contract["hide"]>["body"],
): Promise<null> {
  const { id: tenantId } = await requireTenant(ctx, asked);
  requireAllStores(ctx, "常见问题");
  if (tenantId === PLATFORM_TENANT_ID) {
    refuse("FAQ_NOT_HIDEABLE");
  }
  const found = await findOneOfPlatform(ctx.db, id);
  if (!found) refuse("NOT_FOUND", { what: "问题" });
  const by = ctx.session.signature;
  const isChanged = await hideFaq(ctx.db, { tenantId, faqId: id, isHidden, by });
  ctx.audit({ tenantId, target: nameOf(found), after: { isHidden, isChanged } });
  return null;
}

async function lock(ctx: Ctx, id: number): Promise<repo.FaqRow> {
  const row = await repo.lockFaq(ctx.db, ctx.session, id);
  if (!row) refuse("NOT_FOUND", { what: "问题" });
  requireMayWrite(ctx, row.tenantId);
  return row;
}

/** Platform questions are shown in every tenant: only platform staff may write them. */
export function requireMayWrite(ctx: Ctx, tenantId: number): void {
  requireAllStores(ctx, "常见问题");
  if (tenantId === PLATFORM_TENANT_ID && !isPlatformStaff(ctx.session)) {
    refuse("FAQ_PLATFORM_ONLY");
  }
}

const nameOf = ({ question }: { question: string }) => `常见问题“${question}”`;

function shown({ question, answer, isOn }: FaqDraft) {
  return { question, answer: plainTextOf(answer).slice(0, 200), isOn };
}

function valuesOf(draft: FaqDraft): FaqDraft {
  return {
    ...draft,
    question: draft.question.trim(),
    answer: takeRichText(draft.answer, "回答"),
  };
}
