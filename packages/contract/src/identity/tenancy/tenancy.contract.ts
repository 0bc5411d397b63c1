// Calls for tenants (租户管理): master data, expiry, limits, available functions.

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  Day,
  EditVersion,
  Id,
  Nullable,
  nameOf,
  OneOf,
  OptionalPhone,
  optionalNameOf,
  Reason,
  RevealedContact,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { FEATURES } from "../../vocabulary/feature.rules.ts";
import { NewPassword } from "../auth/auth.contract.ts";
import { DisplayName, Username } from "../operator/operator.contract.ts";
import { FactorExemption, FactorExemptUntil } from "../second-factor/second-factor.contract.ts";
import { TENANT_STATES } from "./tenancy.rules.ts";

const State = OneOf(TENANT_STATES, "状态");
const limitOf = (title: string) => Type.Integer({ title, minimum: 1, maximum: 100_000 });
const storageLimit = Type.Integer({ title: "文件上限（MB）", minimum: 1, maximum: 10_000_000 });
const requestLimit = Type.Integer({
  title: "请求上限（次/分钟）",
  minimum: 60,
  maximum: 10_000_000,
});
const TenantParams = Strict({ id: TenantId });

export const TenantFeature = named(
  "TenantFeature",
  Strict({
    feature: OneOf(FEATURES, "功能"),
    isOn: Type.Boolean({ title: "开通" }),
    startsOn: { ...Nullable(Day), title: "开始日", description: "空为没有开始日" },
    endsOn: { ...Nullable(Day), title: "截止日", description: "最后一天；空为没有截止日" },
  }),
);

export const Tenant = Type.Object({
  id: TenantId,
  name: Type.String(),
  state: State,
  expiresOn: { ...Nullable(Day), description: "最后一天；空为长期有效" },
  expiryDate: {
    ...Nullable(Type.Integer()),
    description: "按月续期保持的日（1–31），月份不够长时取月末；空为最后一天的日",
  },
  daysLeft: { ...Nullable(Type.Integer()), description: "到最后一天还有几天" },
  operators: Type.Integer({ description: "未停用的账号" }),
  maxOperators: { ...Nullable(Type.Integer()), description: "空为不限" },
  cabinets: Type.Integer({ description: "未停用的设备" }),
  maxCabinets: { ...Nullable(Type.Integer()), description: "空为不限" },
  storageMb: Type.Integer({ description: "上传的文件，MB，向上取整" }),
  maxStorageMb: { ...Nullable(Type.Integer()), description: "空为不限" },
  requests: Type.Integer({ description: "近一小时内，最多的一分钟里控制台与第三方的请求" }),
  maxRequests: { ...Nullable(Type.Integer()), description: "每分钟；空为不限" },
  exports: Type.Integer({ description: "正在进行的导出" }),
  maxExports: { ...Nullable(Type.Integer()), description: "空为不限" },
  liveChannels: Type.Integer({ description: "打开的实时通道：每个打开的控制台页面一个" }),
  maxLiveChannels: { ...Nullable(Type.Integer()), description: "空为不限" },
  features: Type.Array(TenantFeature, { description: "可选功能；未列出的一直开通" }),
  smsLeft: Type.Integer({ description: "可用的短信条数" }),
  contactName: Type.String(),
  contactPhone: Type.String({ description: "隐藏中间四位" }),
  remark: Type.String(),
  factorExemptUntil: FactorExemptUntil,
  suspendReason: Nullable(Type.String()),
  suspendedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  deletedAt: Nullable(Timestamp),
  today: { ...Day, description: "服务器的今天，续期从它算起" },
});
export type Tenant = Static<typeof Tenant>;

export const TenantDetail = Type.Object({
  ...Tenant.properties,
  withheldIds: Type.Array(Id, { description: "未开通的菜单项，连同其下的全部" }),
  editVersion: Type.Integer(),
});
export type TenantDetail = Static<typeof TenantDetail>;

/** Editable terms of a tenant, except its expiry. */
export const TermFields = {
  name: nameOf("租户名称", 1, 40),
  contactName: Type.Optional(optionalNameOf("联系人", 20)),
  contactPhone: Type.Optional({ ...OptionalPhone, title: "联系电话" }),
  maxOperators: Type.Optional(limitOf("账号上限")),
  maxCabinets: Type.Optional(limitOf("设备上限")),
  maxStorageMb: Type.Optional(storageLimit),
  maxRequests: Type.Optional(requestLimit),
  maxExports: Type.Optional(limitOf("同时导出上限")),
  maxLiveChannels: Type.Optional(limitOf("同时在线页面数")),
  remark: Type.Optional(Type.String({ title: "备注", maxLength: 200 })),
};

export const FirstAccount = Strict({
  username: Username,
  displayName: DisplayName,
  phone: OptionalPhone,
  password: NewPassword,
});

export const NewTenant = Strict({
  ...TermFields,
  expiresOn: Type.Optional({ ...Day, title: "到期日" }),
  withheldIds: Type.Optional(
    Type.Array(Id, { title: "未开通的功能", maxItems: 500, uniqueItems: true }),
  ),
  /** First account of the tenant: administrator of all its functions. */
  account: FirstAccount,
});
export type NewTenant = Static<typeof NewTenant>;

/** Optimistic lock: the last day shown on screen; a concurrent renewal is not added to. */
const expiresOnBefore = { ...Nullable(Day), title: "原到期日" };

export const tenancyContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/tenant/list",
    access: "platform",
    summary: "租户列表",
    query: PageQuery({
      keyword: Type.Optional(Type.String({ title: "租户/联系人", maxLength: 64 })),
      state: Type.Optional(State),
      withinDays: Type.Optional(Type.Integer({ title: "几天内到期", minimum: 0, maximum: 3660 })),
      featureWithinDays: Type.Optional(
        Type.Integer({ title: "可选功能几天内到期", minimum: 0, maximum: 3660 }),
      ),
      sort: Type.Optional(OneOf(["name", "expiresOn", "createdAt"], "排序")),
      order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
    }),
    reply: PageOf(Tenant),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/tenant/{id}",
    access: "platform",
    summary: "租户详情",
    params: TenantParams,
    reply: TenantDetail,
  }),
  remains: endpoint({
    method: "GET",
    path: "/admin/v1/tenant/remains/{id}",
    access: "platform",
    summary: "租户删除前须处理的设备、物品与款项",
    params: TenantParams,
    reply: Type.Object({
      cabinets: Type.Integer(),
      liveOrders: Type.Integer(),
      walletUsers: Type.Integer(),
      walletFen: Type.Integer(),
      heldFen: Type.Integer(),
      cards: Type.Integer(),
      unpaidOrders: Type.Integer(),
      unpaidFen: Type.Integer(),
      topUps: Type.Integer(),
      refunds: Type.Integer(),
      differences: Type.Integer(),
    }),
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/tenant/save",
    access: "platform",
    risk: "trust",
    summary: "新增租户",
    body: NewTenant,
    reply: Type.Object({ id: TenantId }),
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/tenant/modify",
    access: "platform",
    risk: "trust",
    summary: "编辑租户",
    // An absent parameter changes nothing; an empty one clears.
    query: Strict({
      id: TenantId,
      ...TermFields,
      maxOperators: Type.Optional({ ...Nullable(limitOf("账号上限")), description: "空为不限" }),
      maxCabinets: Type.Optional({ ...Nullable(limitOf("设备上限")), description: "空为不限" }),
      maxStorageMb: Type.Optional({ ...Nullable(storageLimit), description: "空为不限" }),
      maxRequests: Type.Optional({ ...Nullable(requestLimit), description: "空为不限" }),
      maxExports: Type.Optional({ ...Nullable(limitOf("同时导出上限")), description: "空为不限" }),
      maxLiveChannels: Type.Optional({
        ...Nullable(limitOf("同时在线页面数")),
        description: "空为不限",
      }),
      withheldIds: Type.Optional(
        Type.String({
          title: "未开通的功能",
          maxLength: 4_000,
          pattern: "^(\\d{1,15}(,\\d{1,15})*)?$",
        }),
      ),
      editVersion: EditVersion,
    }),
    reply: Nothing,
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/tenant/del/{id}",
    access: "platform",
    risk: "trust",
    summary: "删除租户",
    params: TenantParams,
    reply: Nothing,
  }),
  renew: endpoint({
    method: "PUT",
    path: "/admin/v1/tenant/renew/{id}",
    access: "platform",
    risk: "trust",
    summary: "租户续期",
    params: TenantParams,
    // Months or a last day; null removes the expiry.
    body: Strict({
      expiresOnBefore,
      months: Type.Optional(Type.Integer({ title: "续期月数", minimum: 1, maximum: 120 })),
      endsOn: Type.Optional({ ...Nullable(Day), title: "到期日", description: "空为长期有效" }),
      reason: Reason,
    }),
    reply: Nothing,
  }),
  exemptFromFactor: endpoint({
    method: "PUT",
    path: "/admin/v1/tenant/second-factor/exempt/{id}",
    access: "platform",
    risk: "trust",
    summary: "设置租户所有账号的两步验证例外",
    params: TenantParams,
    body: FactorExemption,
    reply: Nothing,
  }),
  suspend: endpoint({
    method: "PUT",
    path: "/admin/v1/tenant/suspend/{id}",
    access: "platform",
    risk: "trust",
    summary: "停用租户",
    params: TenantParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  resume: endpoint({
    method: "PUT",
    path: "/admin/v1/tenant/resume/{id}",
    access: "platform",
    risk: "trust",
    summary: "恢复租户",
    params: TenantParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  saveFeatures: endpoint({
    method: "PUT",
    path: "/admin/v1/tenant/features/{id}",
    access: "platform",
    risk: "trust",
    summary: "设置租户的可选功能",
    params: TenantParams,
    body: Strict({
      features: Type.Array(TenantFeature, {
        title: "可选功能",
        maxItems: FEATURES.length,
        description: "未列出的一直开通",
      }),
      reason: Reason,
      editVersion: EditVersion,
    }),
    reply: Nothing,
  }),
  showContact: endpoint({
    method: "POST",
    path: "/admin/v1/tenant/contact/{id}",
    access: "platform",
    risk: "data",
    summary: "查看租户联系电话",
    params: TenantParams,
    reply: RevealedContact,
  }),
};
