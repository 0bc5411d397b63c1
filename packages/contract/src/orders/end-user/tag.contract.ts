// Calls for tags (标签) of end users: a tenant's tags, and assigning them.

import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import { EditVersion, Id, nameOf, OneOf, Strict, TenantId, Timestamp } from "../../kit/fields.ts";
import { ImportBody, ImportReply } from "../../kit/import.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { MOST_TAGS, MOST_TAGS_OF_ONE, TAG_COLORS } from "./end-user.rules.ts";

export const Tag = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  name: Type.String(),
  color: OneOf(TAG_COLORS),
  remark: Type.String(),
  users: Type.Integer({ description: "有此标签的用户数" }),
  editedAt: Timestamp,
  editedBy: Type.String(),
  editVersion: Type.Integer({ description: "保存时原样交回，防止覆盖他人的修改" }),
});
export type Tag = Static<typeof Tag>;

/** Tag as shown beside a user. */
export const TagMark = named(
  "TagMark",
  Type.Object({ id: Id, name: Type.String(), color: OneOf(TAG_COLORS) }),
);
export type TagMark = Static<typeof TagMark>;

const draftFields = {
  name: nameOf("标签名称", 1, 12),
  color: OneOf(TAG_COLORS, "颜色"),
};
const remark = { title: "说明", maxLength: 60 };
const tagIds = Type.Array(Id, { title: "标签", maxItems: MOST_TAGS_OF_ONE, uniqueItems: true });

/** A tag as a line of a file has it: its colour as it is shown. */
export const TagLine = Strict({
  name: draftFields.name,
  color: Type.String({ title: "颜色", maxLength: 4 }),
  remark: Type.String(remark),
});
export type TagLine = Static<typeof TagLine>;

export const tagContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/tag/list",
    access: "end-user:read",
    summary: "标签列表",
    query: PageQuery({
      name: Type.Optional(Type.String({ title: "标签名称", maxLength: 12 })),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(Tag),
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/tag/save",
    access: "end-user:write",
    risk: "routine",
    summary: "新增标签",
    query: Strict({
      ...draftFields,
      remark: Type.Optional(Type.String(remark)),
      tenantId: Type.Optional(TenantId),
    }),
    reply: RecordId,
  }),
  importLines: endpoint({
    method: "POST",
    path: "/admin/v1/tag/import",
    access: "end-user:write",
    risk: "routine",
    once: true,
    summary: "批量导入标签",
    body: ImportBody(TagLine.properties, { tenantId: Type.Optional(TenantId) }, MOST_TAGS),
    reply: ImportReply,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/tag/update",
    access: "end-user:write",
    risk: "routine",
    summary: "编辑标签",
    body: Strict({
      id: Id,
      ...draftFields,
      remark: Type.String(remark),
      editVersion: EditVersion,
    }),
    reply: Nothing,
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/tag/delete",
    access: "end-user:write",
    risk: "data",
    summary: "删除标签",
    query: Strict({ id: Id }),
    reply: Nothing,
  }),
  /** Adds tags; existing ones stay. */
  assign: endpoint({
    method: "POST",
    path: "/admin/v1/user/tag/save",
    access: "end-user:write",
    risk: "routine",
    summary: "给多个用户加标签",
    body: Strict({
      endUserIds: Type.Array(Id, { title: "用户", minItems: 1, maxItems: 100, uniqueItems: true }),
      tagIds: Type.Array(Id, {
        title: "标签",
        minItems: 1,
        maxItems: MOST_TAGS_OF_ONE,
        uniqueItems: true,
      }),
    }),
    reply: Type.Object({ changed: Type.Integer({ description: "新加上标签的用户数" }) }),
  }),
  /** Replaces all tags; an empty list removes all. */
  replace: endpoint({
    method: "PUT",
    path: "/admin/v1/user/tag/modify",
    access: "end-user:write",
    risk: "routine",
    summary: "设定一个用户的标签",
    body: Strict({ endUserId: Id, tagIds }),
    reply: Nothing,
  }),
};
