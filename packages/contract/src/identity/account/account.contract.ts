// Calls for the own account (个人设置): profile, sessions, preferences.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  EditVersion,
  Id,
  Nullable,
  nameOf,
  OneOf,
  OptionalPhone,
  Strict,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { UserType } from "../../vocabulary/account.ts";
import { SIGN_IN_OUTCOMES } from "../login-log/login-log.rules.ts";
import { DisplayName } from "../operator/operator.contract.ts";
import { type SwitchName, THEMES } from "./account.rules.ts";

export const Profile = Type.Object({
  username: Type.String(),
  displayName: Type.String(),
  phone: Type.String({ description: "已隐藏中间四位" }),
  userType: UserType,
  tenantName: Type.String(),
  roles: Type.Array(Type.String()),
  createdAt: Timestamp,
  lastSignInAt: Nullable(Timestamp),
  editVersion: Type.Integer({ description: "保存时原样交回，防止覆盖他人的修改" }),
});
export type Profile = Static<typeof Profile>;

export const ProfileDraft = Strict({
  displayName: DisplayName,
  phone: Type.Optional(OptionalPhone),
});
export type ProfileDraft = Static<typeof ProfileDraft>;

const Theme = OneOf(THEMES, "外观");
const Switches = {
  tagView: Type.Boolean({ title: "页签栏", description: "在页面上方显示打开过的页面" }),
  isCompact: Type.Boolean({ title: "紧凑表格" }),
  isSetupHidden: Type.Boolean({ title: "隐藏开通设置", description: "首页不再显示开通设置" }),
} satisfies Record<SwitchName, unknown>;
const ColumnKeys = Type.Array(Type.String({ maxLength: 64 }), { maxItems: 60 });
const SavedFilter = Strict({
  name: nameOf("名称", 1, 20),
  search: Type.String({ title: "筛选条件", maxLength: 500 }),
});
const ColumnWidth = Strict({
  key: Type.String({ maxLength: 64 }),
  width: Type.Integer({ title: "列宽", minimum: 1, maximum: 2_000, description: "像素" }),
});
const ColumnChoice = named(
  "ColumnChoice",
  Strict({
    hidden: ColumnKeys,
    order: ColumnKeys,
    filters: Type.Optional(Type.Array(SavedFilter, { title: "常用筛选", maxItems: 10 })),
    widths: Type.Optional(Type.Array(ColumnWidth, { title: "列宽", maxItems: 60 })),
  }),
);
const ListColumns = Strict({
  list: Type.String({ title: "列表", minLength: 1, maxLength: 64 }),
  /** Null: resets the list to its default columns. */
  choice: Nullable(ColumnChoice),
});
export type ListColumns = Static<typeof ListColumns>;

/** Preferences of this account, in any browser; null or absent: never chosen. */
export const Preference = Type.Object({
  theme: Nullable(Theme),
  tagView: Nullable(Switches.tagView),
  isCompact: Nullable(Switches.isCompact),
  isSetupHidden: Nullable(Switches.isSetupHidden),
  columns: Type.Array(ListColumns),
});
export type Preference = Static<typeof Preference>;

export const OwnSession = Type.Object({
  id: Id,
  isCurrent: Type.Boolean({ description: "正是发起这次查询的会话" }),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  address: Nullable(Type.String()),
  device: Type.String(),
});
export type OwnSession = Static<typeof OwnSession>;

export const OwnSignIn = Type.Object({
  id: Id,
  at: Timestamp,
  outcome: OneOf(SIGN_IN_OUTCOMES),
  address: Nullable(Type.String()),
  device: Type.String(),
  isNewDevice: Type.Boolean({ description: "此账号第一次在这个浏览器登录" }),
});
export type OwnSignIn = Static<typeof OwnSignIn>;

export const accountContract = {
  profile: endpoint({
    method: "GET",
    path: "/admin/v1/account/profile",
    access: "signed-in",
    summary: "自己的资料；正在查看租户的平台人员在那里没有账号，为空",
    reply: Nullable(Profile),
  }),
  saveProfile: endpoint({
    method: "PUT",
    path: "/admin/v1/account/profile",
    access: "signed-in",
    risk: "data",
    summary: "修改自己的资料",
    body: Strict({
      ...ProfileDraft.properties,
      editVersion: EditVersion,
    }),
    reply: Nothing,
  }),
  sessions: endpoint({
    method: "GET",
    path: "/admin/v1/account/session/list",
    access: "signed-in",
    summary: "自己的在线会话",
    reply: Type.Array(OwnSession),
  }),
  endOtherSessions: endpoint({
    method: "POST",
    path: "/admin/v1/account/session/end-others",
    access: "signed-in",
    risk: "routine",
    summary: "退出自己在其他地方的登录",
    reply: Type.Object({ ended: Type.Integer({ description: "结束的会话数" }) }),
  }),
  signIns: endpoint({
    method: "GET",
    path: "/admin/v1/account/sign-in/list",
    access: "signed-in",
    summary: "自己的登录记录",
    query: PageQuery({}),
    reply: PageOf(OwnSignIn),
  }),
  preference: endpoint({
    method: "GET",
    path: "/admin/v1/account/preference",
    access: "signed-in",
    summary: "自己的界面偏好",
    reply: Preference,
  }),
  savePreference: endpoint({
    method: "PUT",
    path: "/admin/v1/account/preference",
    access: "signed-in",
    risk: "routine",
    summary: "修改界面偏好",
    body: Strict({
      theme: Type.Optional(Theme),
      tagView: Type.Optional(Switches.tagView),
      isCompact: Type.Optional(Switches.isCompact),
      isSetupHidden: Type.Optional(Switches.isSetupHidden),
      columns: Type.Optional(
        Type.Array(ListColumns, { title: "列设置", minItems: 1, maxItems: 50 }),
      ),
    }),
    reply: Nothing,
  }),
};
