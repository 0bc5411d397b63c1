// Actions on categories of questions.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse, requireUnedited } from "../../../platform/errors.ts";
import { PLATFORM_TENANT_ID, requireTenant } from "../../organization/tenant/index.ts";
import { requireMayWrite } from "./faq.service.ts";
import * as repo from "./faq-category.sql.ts";

type Contract = typeof faqContract;

export async function createCategory(
  ctx: Ctx,
  { tenantId: asked, audience, ...draft }: Input<Contract["createCategory"]>["body"],
): Promise<Reply<Contract["createCategory"]>> {
  const { id: tenantId } = await requireTenant(ctx, asked);
  requireMayWrite(ctx, tenantId);
  if (audience === "OPERATOR" && tenantId !== PLATFORM_TENANT_ID) {
    refuse("FAQ_HELP_PLATFORM_ONLY");
  }
  const name = draft.name.trim();
  const by = ctx.session.signature;
  const id = await repo.insertCategory(ctx.db, { tenantId, name, audience, by });
  if (id === null) return refuse("FAQ_CATEGORY_TAKEN", { name });
  ctx.audit({ tenantId, target: nameOf({ name }), after: { name, audience } });
  return { id };
}

export async function updateCategory(
  ctx: Ctx,
  id: number,
  { editVersion, ...draft }: Input<Contract["updateCategory"]>["body"],
): Promise<null> {
  const row = await lock(ctx, id);
  requireUnedited(row, editVersion);
  const name = draft.name.trim();
  const taken = await repo.findCategoryByName(ctx.db, row, name);
  if (taken && taken.id !== id) refuse("FAQ_CATEGORY_TAKEN", { name });
  await repo.renameCategory(ctx.db, row, { name, by: ctx.session.signature });
  const { tenantId } = row;
  ctx.audit({ tenantId, target: nameOf({ name }), before: { name: row.name }, after: { name } });
  return null;
}

export async function deleteCategory(ctx: Ctx, id: number): Promise<null> {
  const row = await lock(ctx, id);
  const count = await repo.countQuestions(ctx.db, row);
  if (count > 0) refuse("FAQ_CATEGORY_USED", { name: row.name, count });
  await repo.deleteCategory(ctx.db, row);
  const { tenantId, name, audience } = row;
  ctx.audit({ tenantId, target: nameOf(row), before: { name, audience } });
  return null;
}

export async function moveCategory(
  ctx: Ctx,
  id: number,
  step: "up" | "down",
): Promise<{ isMoved: boolean }> {
  const row = await lock(ctx, id);
  const isMoved = await repo.swapCategory(ctx.db, row, step);
  ctx.audit({ tenantId: row.tenantId, target: nameOf(row), after: { step, isMoved } });
  return { isMoved };
}

async function lock(ctx: Ctx, id: number): Promise<repo.CategoryRow> {
  const row = await repo.lockCategory(ctx.db, ctx.session, id);
  if (!row) refuse("NOT_FOUND", { what: "分类" });
  requireMayWrite(ctx, row.tenantId);
  return row;
}

const nameOf = ({ name }: { name: string }) => `问题分类“${name}”`;
