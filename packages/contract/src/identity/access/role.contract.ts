// Calls for roles (角色管理): permissions, store scope and members.
import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import {
  amountOf,
  EditVersion,
  Id,
  IdParams,
  Nullable,
  nameOf,
  OneOf,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { StoreOption } from "../../organization/store/store.contract.ts";
import { UserType } from "../../vocabulary/account.ts";
import { MenuTree } from "./access.contract.ts";
import { STORE_SCOPES } from "./role.rules.ts";

const StoreScope = OneOf(STORE_SCOPES, "门店范围");
const RoleName = nameOf("角色名称", 1, 20);

export const RoleOption = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  name: Type.String(),
  storeScope: StoreScope,
  isWithinReach: Type.Boolean({
    description: "权限和门店范围不超出当前账号自己的：可以绑定、复制、删除",
  }),
});
export type RoleOption = Static<typeof RoleOption>;

export const Role = Type.Object({
  ...RoleOption.properties,
  tenantName: Type.String(),
  remark: Type.String(),
  needsSecondFactor: Type.Boolean({ description: "成员登录须两步验证" }),
  defaultFor: Nullable(
    Type.Integer({ description: "新账号默认获得：1 租户运营，2 运维人员；null 不是默认角色" }),
  ),
  stores: Type.Array(StoreOption, { description: "指定的门店" }),
  members: Type.Integer({ description: "成员数" }),
  pages: Type.Integer({ description: "可用的页面数" }),
  buttons: Type.Integer({ description: "可用的操作数" }),
  editedAt: Timestamp,
  editedBy: Type.String(),
});
export type Role = Static<typeof Role>;

export const RoleMember = Type.Object({
  id: Id,
  username: Type.String(),
  displayName: Type.String(),
  userType: UserType,
  isDisabled: Type.Boolean(),
});
export type RoleMember = Static<typeof RoleMember>;

export const RoleDetail = Type.Object({
  ...Role.properties,
  entryIds: Type.Array(Id, { description: "授予的菜单和按钮，租户未开通的不在其中" }),
  people: Type.Array(RoleMember),
  editVersion: EditVersion,
});
export type RoleDetail = Static<typeof RoleDetail>;

/** Account that may become a member, or is one. */
export const RoleCandidate = Type.Object({
  ...RoleMember.properties,
  isMember: Type.Boolean(),
  isWithinReach: Type.Boolean({ description: "权限和门店范围不超出当前账号自己的" }),
});
export type RoleCandidate = Static<typeof RoleCandidate>;

const roleFilters = {
  keyword: Type.Optional(Type.String({ title: "角色名称/备注", maxLength: 64 })),
  storeScope: Type.Optional(StoreScope),
  operatorId: Type.Optional(Id),
  tenantId: Type.Optional(TenantId),
  sort: Type.Optional(OneOf(["name", "members", "editedAt"], "排序")),
  order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
};

const draftFields = {
  name: RoleName,
  remark: Type.String({ title: "备注", maxLength: 200 }),
  storeScope: StoreScope,
  storeIds: Type.Array(Id, { title: "指定门店", maxItems: 500, uniqueItems: true }),
  needsSecondFactor: Type.Optional(Type.Boolean({ title: "要求两步验证" })),
  entryIds: Type.Array(Id, { title: "功能权限", maxItems: 1000, uniqueItems: true }),
};
export const RoleDraft = Strict(draftFields);
export type RoleDraft = Static<typeof RoleDraft>;

const OperatorIds = (title: string) => Type.Array(Id, { title, maxItems: 500, uniqueItems: true });

export const roleContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/role/list",
    access: "role:read",
    summary: "角色列表",
    query: PageQuery(roleFilters),
    reply: PageOf(Role),
  }),
  options: endpoint({
    method: "GET",
    path: "/admin/v1/role/options",
    access: "operator:read",
    summary: "可选择的角色",
    query: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: Type.Array(RoleOption),
  }),
  grantable: endpoint({
    method: "GET",
    path: "/admin/v1/role/grantable",
    access: "role:read",
    summary: "租户已开通的功能，以及其中可由当前账号授予的",
    query: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: Type.Object({
      tree: MenuTree,
      entryIds: Type.Array(Id, { description: "当前账号自己也有的，可以授予和收回" }),
      isStoreBound: Type.Boolean({ description: "只能授予自己可见的门店" }),
      stores: Type.Array(StoreOption, { description: "可以指定的门店" }),
    }),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/role/{id}",
    access: "role:read",
    summary: "角色详情",
    params: IdParams,
    reply: RoleDetail,
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/role/save",
    access: "role:write",
    risk: "trust",
    summary: "新增角色",
    body: Strict({ ...draftFields, tenantId: Type.Optional(TenantId) }),
    reply: RecordId,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/role/update/{id}",
    access: "role:write",
    risk: "trust",
    summary: "编辑角色",
    params: IdParams,
    body: Strict({ ...draftFields, editVersion: EditVersion }),
    reply: Nothing,
  }),
  copy: endpoint({
    method: "POST",
    path: "/admin/v1/role/copy/{id}",
    access: "role:write",
    risk: "trust",
    summary: "复制角色",
    params: IdParams,
    body: Strict({ name: RoleName }),
    reply: RecordId,
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/role/del/{id}",
    access: "role:write",
    risk: "trust",
    summary: "删除角色",
    params: IdParams,
    query: Strict({
      members: amountOf("成员数", "确认时看到的成员数；与实际不符则不删除"),
    }),
    reply: Nothing,
  }),
  candidates: endpoint({
    method: "GET",
    path: "/admin/v1/role/{id}/member",
    access: "role:read",
    summary: "角色的成员，以及可以加入的账号",
    params: IdParams,
    reply: Type.Array(RoleCandidate),
  }),
  saveMembers: endpoint({
    method: "PUT",
    path: "/admin/v1/role/{id}/member",
    access: "role:write",
    risk: "trust",
    summary: "加入或移出角色成员",
    params: IdParams,
    body: Strict({
      addedOperatorIds: OperatorIds("加入的账号"),
      removedOperatorIds: OperatorIds("移出的账号"),
    }),
    reply: Type.Object({ added: Type.Integer(), removed: Type.Integer() }),
  }),
};
