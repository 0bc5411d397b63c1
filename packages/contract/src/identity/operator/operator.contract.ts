// Calls for console accounts: tenants' operators (运营人员) and maintenance staff (运维人员),
// specification §6, §7.

import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import {
  EditVersion,
  Id,
  IdParams,
  Nullable,
  nameOf,
  OneOf,
  OptionalPhone,
  phonePartOf,
  Reason,
  RevealedPhone,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { UserType } from "../../vocabulary/account.ts";
import { NewPassword } from "../auth/auth.contract.ts";
import { FactorExemption, FactorExemptUntil } from "../second-factor/second-factor.contract.ts";
import { DORMANCIES, NO_ROLES, OPERATOR_STATES, USERNAME_PATTERN } from "./operator.rules.ts";

const Named = Type.Object({ id: Id, name: Type.String() });

export const Operator = named(
  "Operator",
  Type.Object({
    id: Id,
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    username: Type.String(),
    displayName: Type.String(),
    phone: Type.String({ description: "已隐藏中间四位" }),
    userType: UserType,
    state: OneOf(OPERATOR_STATES),
    disabledAt: Nullable(Timestamp),
    disabledBy: Nullable(Type.String()),
    disableReason: Nullable(Type.String()),
    lockedUntil: Nullable(
      Type.String({ format: "date-time", description: "登录失败次数过多，此前不能登录" }),
    ),
    mustChangePassword: Type.Boolean({ description: "登录后须先修改密码" }),
    isFirstPasswordExpired: Type.Boolean({ description: "他人设置的密码已过期，须重置后才能登录" }),
    hasSecondFactor: Type.Boolean({ description: "已设置两步验证" }),
    factorExemptUntil: FactorExemptUntil,
    lastSignInAt: Nullable(Timestamp),
    roles: Type.Array(Named),
    stores: Type.Array(Named, { description: "负责的门店" }),
    visibleStores: Type.Array(Named, {
      description: "可见的门店：负责的和角色指定的；可见全部时为空",
    }),
    isStoreBound: Type.Boolean({ description: "只见部分门店的设备和订单" }),
    isManageable: Type.Boolean({ description: "权限和门店不超出您自己的，可以管理" }),
    remark: Type.String(),
    createdAt: Timestamp,
    editVersion: Type.Integer({ description: "保存时原样交回，防止覆盖他人的修改" }),
  }),
);
export type Operator = Static<typeof Operator>;

export const OperatorDetail = Type.Object({
  ...Operator.properties,
  failures: Type.Integer({ description: "最近一小时内连续登录失败的次数" }),
  sessions: Type.Integer({ description: "正在登录的会话" }),
  managedStores: Type.Array(Type.String(), { description: "作为负责人的门店" }),
});
export type OperatorDetail = Static<typeof OperatorDetail>;

const filters = {
  keyword: Type.Optional(Type.String({ title: "姓名/账号", maxLength: 64 })),
  phone: Type.Optional(phonePartOf("operator:write")),
  roleId: Type.Optional(Id),
  state: Type.Optional(OneOf(OPERATOR_STATES, "状态")),
  dormancy: Type.Optional(OneOf(DORMANCIES, "登录情况")),
  tenantId: Type.Optional(TenantId),
  sort: Type.Optional(OneOf(["username", "lastSignInAt", "createdAt"], "排序")),
  order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
};

export const Username = Type.String({
  title: "账号",
  minLength: 3,
  maxLength: 32,
  pattern: USERNAME_PATTERN,
});
export const DisplayName = nameOf("姓名", 1, 20);

const StoreIds = Type.Array(Id, { title: "负责的门店", maxItems: 500, uniqueItems: true });
const RoleIds = Type.Array(Id, { title: "角色", maxItems: 20, uniqueItems: true });
const ofTenant = { tenantId: Type.Optional(TenantId) };
const Remark = Type.String({ title: "备注", maxLength: 200 });

export const NewOperator = Strict({
  ...ofTenant,
  userType: UserType,
  username: Username,
  displayName: DisplayName,
  phone: OptionalPhone,
  password: NewPassword,
  roleIds: RoleIds,
  storeIds: StoreIds,
  remark: Remark,
});
export type NewOperator = Static<typeof NewOperator>;

export const OperatorUpdate = Strict({
  id: Id,
  userType: UserType,
  displayName: DisplayName,
  phone: Type.Optional(OptionalPhone),
  storeIds: StoreIds,
  remark: Remark,
  editVersion: EditVersion,
});
export type OperatorUpdate = Static<typeof OperatorUpdate>;

const RoleBinding = Strict({
  id: Id,
  roleIds: Type.String({
    title: "角色",
    maxLength: 400,
    // Empty parameters are not sent, and an absent one changes nothing; hence the explicit `none`.
    pattern: `^(${NO_ROLES}|\\d{1,15}(,\\d{1,15}){0,19})$`,
    description: "角色编号，以逗号分隔；none 为不要任何角色",
  }),
});

export const PasswordReset = Strict({ id: Id, password: NewPassword, reason: Reason });

const ReasonBody = Strict({ reason: Reason });

export const operatorContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/tenant/operate/list",
    access: "operator:read",
    summary: "运营人员列表：平台可见全部租户的，其他账号只见本租户的",
    query: PageQuery({
      ...filters,
      userType: Type.Optional(Type.Integer({ title: "类型", minimum: 0, maximum: 1 })),
    }),
    reply: PageOf(Operator),
  }),
  maintenanceList: endpoint({
    method: "GET",
    path: "/admin/v1/operator/maintenance/list",
    access: "operator:read",
    summary: "运维人员列表",
    query: PageQuery({ ...filters, storeId: Type.Optional(Id) }),
    reply: PageOf(Operator),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/operator/{id}",
    access: "operator:read",
    summary: "后台账号详情",
    params: IdParams,
    reply: OperatorDetail,
  }),
  scope: endpoint({
    method: "POST",
    path: "/admin/v1/operator/scope",
    access: "operator:read",
    isRead: true,
    summary: "后台账号有这些角色和门店时可见的门店和设备数",
    body: Strict({
      ...ofTenant,
      userType: UserType,
      roleIds: RoleIds,
      storeIds: StoreIds,
    }),
    reply: Type.Object({
      isStoreBound: Type.Boolean({ description: "只见部分门店的设备和订单" }),
      stores: Type.Integer({ description: "可见的门店数" }),
      cabinets: Type.Integer({ description: "可见的设备数" }),
    }),
  }),
  roles: endpoint({
    method: "GET",
    path: "/admin/v1/role/uid/info/{id}",
    access: "operator:read",
    summary: "后台账号的角色",
    params: IdParams,
    reply: Type.Array(Named),
  }),
  add: endpoint({
    method: "POST",
    path: "/admin/v1/user/add",
    access: "operator:write",
    risk: "trust",
    summary: "新增后台账号",
    body: NewOperator,
    reply: RecordId,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/user",
    access: "operator:write",
    risk: "trust",
    summary: "编辑后台账号",
    body: OperatorUpdate,
    reply: Nothing,
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/user/del/{id}",
    access: "operator:write",
    risk: "trust",
    summary: "删除后台账号",
    params: IdParams,
    reply: Nothing,
  }),
  bindRoles: endpoint({
    method: "POST",
    path: "/admin/v1/user/role/bind",
    access: "operator:write",
    risk: "trust",
    summary: "分配后台账号的角色",
    bodyForm: "form",
    body: RoleBinding,
    reply: Nothing,
  }),
  resetPassword: endpoint({
    method: "POST",
    path: "/admin/v1/tenant/modify/password",
    access: "operator:write",
    risk: "trust",
    summary: "重置后台账号的密码",
    body: PasswordReset,
    reply: Nothing,
  }),
  disable: endpoint({
    method: "PUT",
    path: "/admin/v1/operator/disable/{id}",
    access: "operator:write",
    risk: "data",
    summary: "停用后台账号",
    params: IdParams,
    body: ReasonBody,
    reply: Nothing,
  }),
  enable: endpoint({
    method: "PUT",
    path: "/admin/v1/operator/enable/{id}",
    access: "operator:write",
    risk: "trust",
    summary: "启用后台账号",
    params: IdParams,
    body: ReasonBody,
    reply: Nothing,
  }),
  unlock: endpoint({
    method: "PUT",
    path: "/admin/v1/operator/unlock/{id}",
    access: "operator:write",
    risk: "trust",
    summary: "解除登录限制",
    params: IdParams,
    body: ReasonBody,
    reply: Nothing,
  }),
  clearSecondFactor: endpoint({
    method: "PUT",
    path: "/admin/v1/operator/second-factor/clear/{id}",
    access: "operator:write",
    risk: "trust",
    summary: "清除后台账号的两步验证",
    params: IdParams,
    body: ReasonBody,
    reply: Nothing,
  }),
  exemptFromFactor: endpoint({
    method: "PUT",
    path: "/admin/v1/operator/second-factor/exempt/{id}",
    access: "platform",
    risk: "trust",
    summary: "设置后台账号的两步验证例外",
    params: IdParams,
    body: FactorExemption,
    reply: Nothing,
  }),
  showPhone: endpoint({
    method: "POST",
    path: "/admin/v1/operator/phone/{id}",
    access: "operator:write",
    risk: "data",
    summary: "查看后台账号的手机号",
    params: IdParams,
    reply: RevealedPhone,
  }),
};
