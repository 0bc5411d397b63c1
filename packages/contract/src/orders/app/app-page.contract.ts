// App calls behind the web page of a tenant: what it shows before sign-in, and malfunction reports.

import { type Static, Type } from "typebox";
import { endpoint, StoredFile } from "../../kit/endpoint.ts";
import { Nullable, OneOf, Strict, TenantId, Timestamp, Uuid } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { SN_PATTERN } from "../../vocabulary/hardware.rules.ts";
import { CompartmentNo } from "../../vocabulary/hardware.ts";
import { LegalKind, LegalVersion } from "../legal-text/legal-text.ts";
import { APP_MALFUNCTION_KINDS, MAX_REPORT_PHOTOS, TENANT_CODE_PATTERN } from "./app-page.rules.ts";

const Sn = Type.String({ title: "设备编号", pattern: SN_PATTERN });

/** Exactly one of them names the page. */
const ofPage = {
  sn: Type.Optional(Sn),
  tenantCode: Type.Optional(Type.String({ title: "运营商代码", pattern: TENANT_CODE_PATTERN })),
  tenantId: Type.Optional({
    ...TenantId,
    description: "只用于早先印出的链接：升级之前已经开通网页版的运营商",
  }),
};

export const AppPage = named(
  "WebPage",
  Type.Object({
    tenantId: Type.Integer(),
    tenantCode: Type.String({ description: "运营商代码：打开这家运营商的网页版，不含柜机" }),
    tenantName: Type.String(),
    logo: Nullable(
      Type.String({ description: "Logo 图片在本站的路径，不用登录；没有 Logo 时为空" }),
    ),
    servicePhone: Type.String({ description: "客服电话：柜机自己的，否则运营商的；可为空串" }),
    isTopUpOpen: Type.Boolean({ description: "开通了微信在线充值" }),
    isSmsSignInPossible: Type.Boolean({ description: "验证码短信现在能发出" }),
    notice: Nullable(
      Type.String({ description: "运营商暂停服务，只能取件、取回和付清费用；一切正常时为空" }),
    ),
    legal: Type.Array(LegalVersion, { description: "登录前要同意的协议；没有时为空" }),
    cabinet: Nullable(
      Type.Object({
        sn: Type.String(),
        name: Type.String(),
        storeName: Nullable(Type.String()),
      }),
    ),
  }),
);
export type AppPage = Static<typeof AppPage>;

export const AppMalfunctionDraft = named(
  "AppMalfunctionDraft",
  Strict({
    sn: Sn,
    compartmentNo: Type.Optional(CompartmentNo),
    kind: OneOf(APP_MALFUNCTION_KINDS, "哪里坏了"),
    description: Type.String({ title: "说明", minLength: 2, maxLength: 300, pattern: "\\S" }),
    photoIds: Type.Array(Uuid, {
      title: "照片",
      maxItems: MAX_REPORT_PHOTOS,
      uniqueItems: true,
      default: [],
    }),
  }),
);
export type AppMalfunctionDraft = Static<typeof AppMalfunctionDraft>;

export const appPageContract = {
  page: endpoint({
    method: "GET",
    path: "/app/v1/page",
    access: "public",
    summary:
      "网页版打开时显示的运营商和柜机；按柜机编号、运营商代码或运营商编号，填一个；没有开通的与不存在的一样回答",
    query: Strict(ofPage),
    reply: AppPage,
  }),
  legal: endpoint({
    method: "GET",
    path: "/app/v1/page/legal",
    access: "public",
    summary: "协议现行版本的正文；网页和运营商的找法同上",
    query: Strict({ ...ofPage, kind: LegalKind }),
    reply: Type.Object({
      ...LegalVersion.properties,
      body: Type.String({ description: "纯文本" }),
      publishedAt: Timestamp,
    }),
  }),
  logo: endpoint({
    method: "GET",
    path: "/app/v1/page/logo/{fileId}",
    access: "public",
    summary: "开通了网页版的运营商现在的 Logo",
    params: Strict({ fileId: Uuid }),
    replyForm: "file",
    reply: StoredFile,
  }),
  reportMalfunction: endpoint({
    method: "POST",
    path: "/app/v1/malfunction",
    access: "end-user",
    once: true,
    summary: "报修：同一位置的同类故障还没有处理完时，只增加它的上报次数",
    body: AppMalfunctionDraft,
    reply: Type.Object({
      isRepeated: Type.Boolean({ description: "已经有人报过，正在处理" }),
    }),
  }),
  uploadPhoto: endpoint({
    method: "POST",
    path: "/app/v1/malfunction/photo",
    access: "end-user",
    summary: "上传报修的照片；一天内没有用于报修的照片会被删除",
    bodyForm: "multipart",
    uploads: ["IMAGE"],
    body: Strict({}),
    reply: Type.Object({
      id: Uuid,
      width: Nullable(Type.Integer()),
      height: Nullable(Type.Integer()),
    }),
  }),
};
