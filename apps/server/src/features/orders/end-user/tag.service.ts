// Tags, a tenant's own labels for its end users: creates, changes, deletes and assigns them.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { judgeDrafts } from "@cabinet/contract/kit/judge-lines.rules.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import {
  MOST_TAGS,
  MOST_TAGS_OF_ONE,
  tagColorOf,
  tagColorProblem,
} from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import {
  TagLine,
  type TagMark,
  type tagContract,
} from "@cabinet/contract/orders/end-user/tag.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { namedInAudit, saveLines } from "../../../platform/import-lines.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { targetOf } from "./end-user.service.ts";
import * as repo from "./tag.sql.ts";

type Contract = typeof tagContract;

export async function createTag(
  ctx: Ctx,
  { tenantId: asked, remark = "", ...rest }: Input<Contract["create"]>["query"],
): Promise<{ id: number }> {
  const { id: tenantId } = await requireTenant(ctx, asked);
  const draft = tidy({ ...rest, remark });
  const others = await lockFreeNameOrRefuse(ctx, tenantId, draft.name, null);
  if (others >= MOST_TAGS) refuse("TAG_LIMIT", { what: "一个租户", max: MOST_TAGS });
  const id = await repo.insertTag(ctx.db, tenantId, draft, ctx.session.signature);
  ctx.audit({ tenantId, target: tagTarget(draft), after: draft });
  return { id };
}

/** Lines beyond the tenant's limit are refused, too. */
export async function importTags(
  ctx: Ctx,
  { tenantId: asked, mode, lines }: Input<Contract["importLines"]>["body"],
): Promise<Reply<Contract["importLines"]>> {
  const { id: tenantId } = await requireTenant(ctx, asked);
  await repo.lockTagNames(ctx.db, tenantId);
  const names = await repo.findTagNames(ctx.db, tenantId);
  let places = MOST_TAGS - names.length;
  const judged = judgeDrafts(lines, ({ line: _, ...cells }) => cells, {
    schema: TagLine,
    problem: tagColorProblem,
    key: "name",
    taken: new Map(names.map(({ name }) => [name, "已有这个标签"])),
  }).map((verdict) => {
    if (verdict.result !== "READY" || places-- > 0) return verdict;
    return { ...verdict, result: "INVALID" as const, message: `一个租户最多 ${MOST_TAGS} 个标签` };
  });
  const { reply, saved, refused } = await saveLines(judged, mode, async (draft) => {
    const color = tagColorOf(draft.color) ?? "BLUE";
    await repo.insertTag(ctx.db, tenantId, { ...draft, color }, ctx.session.signature);
  });
  ctx.audit({
    tenantId,
    target: `导入 ${saved.length} 个标签`,
    after: { imported: saved.length, refused, names: namedInAudit(saved.map(({ name }) => name)) },
  });
  return reply;
}

export async function updateTag(
  ctx: Ctx,
  { id, editVersion, ...rest }: Input<Contract["update"]>["body"],
): Promise<null> {
  const before = await lockTagOrRefuse(ctx, id);
  if (before.editVersion !== editVersion) refuse("CONFLICT", { what: `标签“${before.name}”` });
  const draft = tidy(rest);
  await lockFreeNameOrRefuse(ctx, before.tenantId, draft.name, id);
  await repo.updateTag(ctx.db, before, draft, ctx.session.signature);
  ctx.audit({
    tenantId: before.tenantId,
    target: tagTarget(before),
    before: draftOf(before),
    after: draft,
  });
  return null;
}

export async function deleteTag(ctx: Ctx, id: number): Promise<null> {
  const before = await lockTagOrRefuse(ctx, id);
  await repo.deleteTag(ctx.db, before);
  ctx.audit({
    tenantId: before.tenantId,
    target: tagTarget(before),
    before: { ...draftOf(before), users: before.users },
  });
  return null;
}

/** All from one tenant: another tenant's tag cannot be put on these people. */
export async function assignTags(
  ctx: Ctx,
  { endUserIds, tagIds }: Input<Contract["assign"]>["body"],
): Promise<Reply<Contract["assign"]>> {
  const users = await lockUsersOrRefuse(ctx, endUserIds);
  const tags = await lockTagsOrRefuse(ctx, tagIds);
  const tenantId = requireOneTenant([...users, ...tags]);
  for (const user of users) {
    const all = new Set([...user.tagIds, ...tagIds]);
    if (all.size > MOST_TAGS_OF_ONE) {
      const what = user.userName || maskPhone(user.phone);
      refuse("TAG_LIMIT", { what, max: MOST_TAGS_OF_ONE });
    }
  }
  const changed = users.filter((user) => tagIds.some((id) => !user.tagIds.includes(id)));
  await repo.insertUserTags(ctx.db, tenantId, endUserIds, tagIds);
  const names = namesOf(tags);
  const [first] = users;
  ctx.audit({
    tenantId,
    target:
      users.length === 1 && first
        ? `给${targetOf(first)}加标签 ${names}`
        : `给 ${users.length} 个用户加标签 ${names}`,
    after: { endUserIds: changed.map(({ id }) => id), tagIds: names },
  });
  return { changed: changed.length };
}

export async function replaceTags(
  ctx: Ctx,
  { endUserId, tagIds }: Input<Contract["replace"]>["body"],
): Promise<null> {
  const [user] = await lockUsersOrRefuse(ctx, [endUserId]);
  if (!user) refuse("NOT_FOUND", { what: "用户" });
  const tags = await lockTagsOrRefuse(ctx, tagIds);
  const tenantId = requireOneTenant([user, ...tags]);
  const before = await repo.findTagMarks(ctx.db, tenantId, user.tagIds);
  await repo.deleteUserTags(ctx.db, user, tagIds);
  await repo.insertUserTags(ctx.db, tenantId, [endUserId], tagIds);
  ctx.audit({
    tenantId,
    target: `${targetOf(user)}的标签`,
    before: { tagIds: namesOf(before) },
    after: { tagIds: namesOf(tags) },
  });
  return null;
}

const tagTarget = ({ name }: { name: string }) => `标签 ${name}`;
const namesOf = (tags: readonly Pick<TagMark, "name">[]) =>
  tags.map(({ name }) => name).join("、") || "无";
const draftOf = ({ name, color, remark }: repo.TagDraft): repo.TagDraft => ({
  name,
  color,
  remark,
});

function tidy(draft: repo.TagDraft): repo.TagDraft {
  return { ...draft, name: draft.name.trim(), remark: draft.remark.trim() };
}

async function lockTagOrRefuse(ctx: Ctx, id: number): Promise<repo.TagRow> {
  return (await repo.lockTag(ctx.db, ctx.session, id)) ?? refuse("NOT_FOUND", { what: "标签" });
}

/** Returns the number of other tags. */
async function lockFreeNameOrRefuse(
  ctx: Ctx,
  tenantId: number,
  name: string,
  self: number | null,
): Promise<number> {
  await repo.lockTagNames(ctx.db, tenantId);
  const others = (await repo.findTagNames(ctx.db, tenantId)).filter(({ id }) => id !== self);
  if (others.some((other) => other.name === name)) refuse("TAG_NAME_TAKEN", { name });
  return others.length;
}

async function lockUsersOrRefuse(ctx: Ctx, ids: readonly number[]): Promise<repo.TaggedUser[]> {
  const users = await repo.lockUsersForTags(ctx.db, ctx.session, ids);
  return users.length === ids.length ? users : refuse("NOT_FOUND", { what: "用户" });
}

async function lockTagsOrRefuse(ctx: Ctx, ids: readonly number[]) {
  const tags = await repo.lockTags(ctx.db, ctx.session, ids);
  return tags.length === ids.length ? tags : refuse("NOT_FOUND", { what: "标签" });
}

function requireOneTenant(rows: readonly { tenantId: number }[]): number {
  const [first = 0, ...others] = [...new Set(rows.map(({ tenantId }) => tenantId))];
  if (others.length > 0) {
    refuse("TAGS_OF_SEVERAL_TENANTS");
  }
  return first;
}
