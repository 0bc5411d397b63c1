// Calls for announcements (公告 / 版本通知): writing, scheduled publishing, withdrawing, receiving, read
// receipts.
import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import {
  EditVersion,
  Id,
  IdParams,
  IgnoredQuery,
  Nullable,
  OneOf,
  Reason,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { UserType } from "../../vocabulary/account.ts";
import { RichText, RichTextImage } from "../rich-text/rich-text.contract.ts";
import {
  ANNOUNCEMENT_AUDIENCES,
  ANNOUNCEMENT_KINDS,
  ANNOUNCEMENT_PHASES,
} from "./announcement.rules.ts";

/** Specification §3: version notice. `content` is HTML, sanitised again where it is shown. */
export const VersionNotice = Type.Object({
  version: Type.String(),
  content: Type.String(),
  updateTime: Timestamp,
});
export type VersionNotice = Static<typeof VersionNotice>;

const Kind = OneOf(ANNOUNCEMENT_KINDS, "类型");
const Audience = OneOf(ANNOUNCEMENT_AUDIENCES, "接收人群");
const Phase = OneOf(ANNOUNCEMENT_PHASES, "状态");
const Keyword = Type.Optional(Type.String({ title: "标题/版本", maxLength: 60 }));

export const AnnouncementDraft = Strict({
  kind: Kind,
  title: Type.String({ title: "标题", maxLength: 60 }),
  version: Type.String({ title: "版本", maxLength: 20 }),
  content: RichText("内容"),
  audience: Audience,
  userTypes: Type.Array(UserType, { title: "账号类型", maxItems: 3, uniqueItems: true }),
  tenantIds: Type.Array(TenantId, {
    title: "接收租户",
    description: "仅平台公告；空表示全部租户",
    maxItems: 500,
    uniqueItems: true,
  }),
  isPinned: Type.Boolean({ title: "置顶" }),
  expiresAt: Nullable(Type.String({ title: "到期时间", format: "date-time" })),
});
export type AnnouncementDraft = Static<typeof AnnouncementDraft>;

export const Announcement = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  kind: Kind,
  title: Type.String(),
  version: Type.String(),
  audience: Audience,
  userTypes: Type.Array(UserType),
  tenants: Type.Array(Type.Object({ id: TenantId, name: Type.String() }), {
    description: "接收租户；空表示全部",
  }),
  isPinned: Type.Boolean(),
  phase: Phase,
  publishAt: Nullable(Timestamp),
  expiresAt: Nullable(Timestamp),
  withdrawReason: Nullable(Type.String()),
  readCount: Type.Integer({ description: "已读人数" }),
  edition: Type.Integer(),
  editedBy: Type.String(),
  updatedAt: Timestamp,
});
export type Announcement = Static<typeof Announcement>;

export const AnnouncementDetail = Type.Object({
  ...Announcement.properties,
  content: Type.String(),
  reachCount: Type.Integer({ description: "接收人数：启用的账号或未注销的用户" }),
  createdBy: Type.String(),
  createdAt: Timestamp,
});
export type AnnouncementDetail = Static<typeof AnnouncementDetail>;

export const AnnouncementEdition = Type.Object({
  edition: Type.Integer(),
  title: Type.String(),
  version: Type.String(),
  content: Type.String(),
  editedAt: Timestamp,
  editedBy: Type.String(),
});
export type AnnouncementEdition = Static<typeof AnnouncementEdition>;

export const AnnouncementRecipient = Type.Object({
  id: Id,
  name: Type.String({ description: "账号姓名；用户为姓名或隐藏中间四位的手机号" }),
  tenantName: Type.String(),
  userType: Nullable(Type.Integer({ description: "小程序用户为空" })),
  readAt: Nullable(Timestamp),
});
export type AnnouncementRecipient = Static<typeof AnnouncementRecipient>;

export const ReceivedAnnouncement = Type.Object({
  id: Id,
  kind: Kind,
  title: Type.String(),
  version: Type.String(),
  isFromPlatform: Type.Boolean(),
  isPinned: Type.Boolean(),
  isRead: Type.Boolean(),
  publishAt: Timestamp,
  updateTime: Timestamp,
});
export type ReceivedAnnouncement = Static<typeof ReceivedAnnouncement>;

const ofTenant = { tenantId: Type.Optional(TenantId) };

export const announcementContract = {
  latest: endpoint({
    method: "GET",
    path: "/admin/v1/announcement/latest",
    access: "signed-in",
    summary: "最新版本通知，没有时为空",
    query: IgnoredQuery,
    reply: Nullable(Type.Object({ ...VersionNotice.properties, id: Id })),
  }),
  list: endpoint({
    method: "GET",
    path: "/admin/v1/announcement/list",
    access: "announcement:read",
    summary: "公告列表",
    query: PageQuery({
      keyword: Keyword,
      kind: Type.Optional(Kind),
      audience: Type.Optional(Audience),
      phase: Type.Optional(Phase),
      ...ofTenant,
    }),
    reply: PageOf(Announcement),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/announcement/{id}",
    access: "announcement:read",
    summary: "公告详情",
    params: IdParams,
    reply: AnnouncementDetail,
  }),
  editions: endpoint({
    method: "GET",
    path: "/admin/v1/announcement/{id}/editions",
    access: "announcement:read",
    summary: "公告的历次版本",
    params: IdParams,
    query: PageQuery({}),
    reply: PageOf(AnnouncementEdition),
  }),
  recipients: endpoint({
    method: "GET",
    path: "/admin/v1/announcement/{id}/recipients",
    access: "announcement:read",
    summary: "公告的接收人和阅读情况",
    params: IdParams,
    query: PageQuery({ isRead: Type.Optional(Type.Boolean({ title: "已读" })) }),
    reply: PageOf(AnnouncementRecipient),
  }),
  upload: endpoint({
    method: "POST",
    path: "/admin/v1/announcement/image",
    access: "announcement:write",
    risk: "routine",
    summary: "上传公告图片",
    bodyForm: "multipart",
    uploads: ["IMAGE"],
    body: Strict(ofTenant),
    reply: RichTextImage,
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/announcement/save",
    access: "announcement:write",
    risk: "routine",
    summary: "新增公告",
    body: Strict({ ...AnnouncementDraft.properties, ...ofTenant }),
    reply: RecordId,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/announcement/{id}",
    access: "announcement:write",
    risk: "routine",
    summary: "编辑公告",
    params: IdParams,
    body: Strict({ ...AnnouncementDraft.properties, editVersion: EditVersion }),
    reply: Nothing,
  }),
  publish: endpoint({
    method: "PUT",
    path: "/admin/v1/announcement/publish/{id}",
    access: "announcement:write",
    risk: "routine",
    summary: "发布公告",
    params: IdParams,
    body: Strict({
      publishAt: Nullable(
        Type.String({ title: "发布时间", format: "date-time", description: "空表示立即发布" }),
      ),
    }),
    reply: Nothing,
  }),
  withdraw: endpoint({
    method: "PUT",
    path: "/admin/v1/announcement/withdraw/{id}",
    access: "announcement:write",
    risk: "routine",
    summary: "撤回公告",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/announcement/{id}",
    access: "announcement:write",
    risk: "data",
    summary: "删除公告",
    params: IdParams,
    reply: Nothing,
  }),
  received: endpoint({
    method: "GET",
    path: "/admin/v1/announcement/received/list",
    access: "signed-in",
    summary: "自己收到的公告",
    query: PageQuery({
      keyword: Keyword,
      kind: Type.Optional(Kind),
      isRead: Type.Optional(Type.Boolean({ title: "已读" })),
    }),
    reply: PageOf(ReceivedAnnouncement),
  }),
  receivedOne: endpoint({
    method: "GET",
    path: "/admin/v1/announcement/received/{id}",
    access: "signed-in",
    summary: "自己收到的一条公告",
    params: IdParams,
    reply: Type.Object({ ...ReceivedAnnouncement.properties, content: Type.String() }),
  }),
  read: endpoint({
    method: "PUT",
    path: "/admin/v1/announcement/read",
    access: "signed-in",
    risk: "routine",
    summary: "阅读公告",
    body: Strict({ ids: Type.Array(Id, { title: "公告", minItems: 1, maxItems: 100 }) }),
    reply: Nothing,
  }),
};
