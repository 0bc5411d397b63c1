// Calls for FAQs (常见问题): a tenant's own and the platform's for end users, and the platform's help
// for accounts.
import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import {
  EditVersion,
  Id,
  IdParams,
  idOf,
  nameOf,
  OneOf,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { Moved, Step } from "../../kit/move.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { RichText, RichTextImage } from "../rich-text/rich-text.contract.ts";
import { FAQ_AUDIENCES } from "./faq.rules.ts";

const Audience = OneOf(FAQ_AUDIENCES, "适用对象");
const Keyword = Type.Optional(Type.String({ title: "问题/回答", maxLength: 60 }));
const Name = nameOf("分类名称", 1, 12);
const ofTenant = { tenantId: Type.Optional(TenantId) };

export const FaqCategory = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  name: Type.String(),
  audience: Audience,
  sort: Type.Integer(),
  questionCount: Type.Integer(),
  editVersion: Type.Integer(),
});
export type FaqCategory = Static<typeof FaqCategory>;

export const FaqDraft = Strict({
  categoryId: idOf("分类"),
  question: Type.String({ title: "问题", minLength: 1, maxLength: 80, pattern: "\\S" }),
  answer: RichText("回答"),
  isOn: Type.Boolean({ title: "启用" }),
});
export type FaqDraft = Static<typeof FaqDraft>;

export const Faq = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  categoryId: Id,
  category: Type.String(),
  audience: Audience,
  question: Type.String(),
  isOn: Type.Boolean(),
  editVersion: Type.Integer(),
  editedBy: Type.String(),
  updatedAt: Timestamp,
});
export type Faq = Static<typeof Faq>;

export const FaqDetail = Type.Object({ ...Faq.properties, answer: Type.String() });
export type FaqDetail = Static<typeof FaqDetail>;

/** FAQ entry as shown to readers. */
export const FaqAnswer = Type.Object({
  id: Id,
  category: Type.String(),
  question: Type.String(),
  answer: Type.String({ description: "HTML" }),
});
export type FaqAnswer = Static<typeof FaqAnswer>;

export const FaqOfPlatform = Type.Object({
  ...FaqAnswer.properties,
  isHidden: Type.Boolean({ description: "本租户的用户看不到" }),
});
export type FaqOfPlatform = Static<typeof FaqOfPlatform>;

export const faqContract = {
  categories: endpoint({
    method: "GET",
    path: "/admin/v1/faq/category/list",
    access: "faq:read",
    summary: "常见问题分类",
    query: PageQuery({
      name: Type.Optional(Type.String({ title: "分类名称", maxLength: 12 })),
      audience: Type.Optional(Audience),
      ...ofTenant,
    }),
    reply: PageOf(FaqCategory),
  }),
  createCategory: endpoint({
    method: "POST",
    path: "/admin/v1/faq/category/save",
    access: "faq:write",
    risk: "routine",
    summary: "新增常见问题分类",
    body: Strict({ name: Name, audience: Audience, ...ofTenant }),
    reply: RecordId,
  }),
  updateCategory: endpoint({
    method: "PUT",
    path: "/admin/v1/faq/category/{id}",
    access: "faq:write",
    risk: "routine",
    summary: "修改常见问题分类",
    params: IdParams,
    body: Strict({ name: Name, editVersion: EditVersion }),
    reply: Nothing,
  }),
  deleteCategory: endpoint({
    method: "DELETE",
    path: "/admin/v1/faq/category/{id}",
    access: "faq:write",
    risk: "data",
    summary: "删除常见问题分类",
    params: IdParams,
    reply: Nothing,
  }),
  orderCategory: endpoint({
    method: "PUT",
    path: "/admin/v1/faq/category/order/{id}",
    access: "faq:write",
    risk: "routine",
    summary: "调整分类顺序",
    params: IdParams,
    body: Step,
    reply: Moved,
  }),
  list: endpoint({
    method: "GET",
    path: "/admin/v1/faq/list",
    access: "faq:read",
    summary: "常见问题列表",
    query: PageQuery({
      keyword: Keyword,
      audience: Type.Optional(Audience),
      categoryId: Type.Optional(Id),
      isOn: Type.Optional(Type.Boolean({ title: "启用" })),
      ...ofTenant,
    }),
    reply: PageOf(Faq),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/faq/{id}",
    access: "faq:read",
    summary: "常见问题详情",
    params: IdParams,
    reply: FaqDetail,
  }),
  upload: endpoint({
    method: "POST",
    path: "/admin/v1/faq/image",
    access: "faq:write",
    risk: "routine",
    summary: "上传常见问题图片",
    bodyForm: "multipart",
    uploads: ["IMAGE"],
    body: Strict(ofTenant),
    reply: RichTextImage,
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/faq/save",
    access: "faq:write",
    risk: "routine",
    summary: "新增常见问题",
    body: FaqDraft,
    reply: RecordId,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/faq/{id}",
    access: "faq:write",
    risk: "routine",
    summary: "编辑常见问题",
    params: IdParams,
    body: Strict({ ...FaqDraft.properties, editVersion: EditVersion }),
    reply: Nothing,
  }),
  turn: endpoint({
    method: "PUT",
    path: "/admin/v1/faq/turn/{id}",
    access: "faq:write",
    risk: "routine",
    summary: "启用或停用常见问题",
    params: IdParams,
    body: Strict({ isOn: Type.Boolean({ title: "启用" }) }),
    reply: Nothing,
  }),
  order: endpoint({
    method: "PUT",
    path: "/admin/v1/faq/order/{id}",
    access: "faq:write",
    risk: "routine",
    summary: "调整常见问题顺序",
    params: IdParams,
    body: Step,
    reply: Moved,
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/faq/{id}",
    access: "faq:write",
    risk: "data",
    summary: "删除常见问题",
    params: IdParams,
    reply: Nothing,
  }),
  ofPlatform: endpoint({
    method: "GET",
    path: "/admin/v1/faq/platform/list",
    access: "faq:read",
    summary: "平台提供给用户的常见问题",
    query: PageQuery({
      keyword: Keyword,
      isHidden: Type.Optional(Type.Boolean({ title: "已隐藏" })),
      ...ofTenant,
    }),
    reply: PageOf(FaqOfPlatform),
  }),
  hide: endpoint({
    method: "PUT",
    path: "/admin/v1/faq/platform/hide/{id}",
    access: "faq:write",
    risk: "routine",
    summary: "隐藏或恢复平台的常见问题",
    params: IdParams,
    body: Strict({ isHidden: Type.Boolean({ title: "隐藏" }), ...ofTenant }),
    reply: Nothing,
  }),
  help: endpoint({
    method: "GET",
    path: "/admin/v1/faq/help",
    access: "signed-in",
    summary: "平台给后台账号的使用帮助",
    query: Strict({ keyword: Keyword }),
    reply: Type.Array(FaqAnswer),
  }),
};
