// Calls for stores (门店; paths say point): the places of cabinets.

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
  optionalNameOf,
  RevealedContact,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { ImportBody, ImportReply } from "../../kit/import.ts";
import { named } from "../../kit/named.ts";
import { OPENING_HOURS_PATTERN } from "../../kit/opening-hours.rules.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { Latitude, Longitude } from "../../kit/place.ts";
import { UserType } from "../../vocabulary/account.ts";

export const StoreOption = named(
  "StoreOption",
  Type.Object({
    id: Id,
    tenantId: Type.Integer(),
    name: Type.String(),
  }),
);
export type StoreOption = Static<typeof StoreOption>;

export const Store = Type.Object({
  ...StoreOption.properties,
  tenantName: Type.String(),
  code: Type.String(),
  region: Type.String(),
  address: Type.String(),
  longitude: Nullable(Type.Number()),
  latitude: Nullable(Type.Number()),
  openingHours: Type.String(),
  contactName: Type.String(),
  contactPhone: Type.String({ description: "已隐藏中间四位" }),
  managerId: Nullable(Id),
  managerName: Nullable(Type.String()),
  remark: Type.String(),
  cabinets: Type.Integer({ description: "设备数" }),
  online: Type.Integer({ description: "其中在线" }),
  faulty: Type.Integer({ description: "其中有故障" }),
});
export type Store = Static<typeof Store>;

export const StoreDetail = Type.Object({
  ...Store.properties,
  caretakers: Type.Array(Type.String(), { description: "负责此门店的运维人员" }),
  createdAt: Timestamp,
  editVersion: Type.Integer({ description: "保存时原样交回，防止覆盖他人的修改" }),
  editedAt: Timestamp,
  editedBy: Type.String(),
});
export type StoreDetail = Static<typeof StoreDetail>;

const storeFilters = {
  keyword: Type.Optional(Type.String({ title: "名称/编码/地址", maxLength: 64 })),
  region: Type.Optional(Type.String({ title: "地区", maxLength: 64 })),
  managerId: Type.Optional(Id),
  hasCabinets: Type.Optional(Type.Boolean({ title: "有设备" })),
  tenantId: Type.Optional(TenantId),
  sort: Type.Optional(OneOf(["name", "code", "cabinets"], "排序")),
  order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
};

const draftFields = {
  name: nameOf("门店名称", 1, 40),
  code: Type.String({
    title: "门店编码",
    minLength: 1,
    maxLength: 32,
    pattern: "^[A-Za-z0-9][A-Za-z0-9_-]*$",
  }),
  region: Type.String({ title: "所在地区", maxLength: 60 }),
  address: Type.String({ title: "详细地址", maxLength: 120 }),
  longitude: Longitude,
  latitude: Latitude,
  openingHours: Type.String({
    title: "营业时间",
    maxLength: 60,
    pattern: OPENING_HOURS_PATTERN,
  }),
  contactName: optionalNameOf("联系人", 20),
  contactPhone: Type.Optional({ ...OptionalPhone, title: "联系电话" }),
  managerId: Nullable(Id),
  remark: Type.String({ title: "备注", maxLength: 200 }),
};
export const StoreDraft = Strict(draftFields);
export type StoreDraft = Static<typeof StoreDraft>;

const { managerId: _, ...cellFields } = draftFields;
/** A store as a line of a file has it: its manager by name. */
export const StoreLine = Strict({
  ...cellFields,
  contactPhone: { ...OptionalPhone, title: "联系电话" },
  manager: optionalNameOf("负责人", 20),
});
export type StoreLine = Static<typeof StoreLine>;
/** Stores of one import: the body stays below its limit with the longest cells. */
export const MAX_IMPORTED_STORES = 200;

export const ManagerOption = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  displayName: Type.String(),
  userType: UserType,
});
export type ManagerOption = Static<typeof ManagerOption>;

export const storeContract = {
  options: endpoint({
    method: "GET",
    path: "/admin/v1/store/options",
    access: "store:read",
    summary: "可选择的门店",
    query: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: Type.Array(StoreOption),
  }),
  list: endpoint({
    method: "GET",
    path: "/admin/v1/store/list",
    access: "store:read",
    summary: "门店列表",
    query: PageQuery(storeFilters),
    reply: PageOf(Store),
  }),
  managers: endpoint({
    method: "GET",
    path: "/admin/v1/store/managers",
    access: "store:read",
    summary: "可选择的门店负责人",
    query: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: Type.Array(ManagerOption),
  }),
  nextCode: endpoint({
    method: "GET",
    path: "/admin/v1/store/code/next",
    access: "store:write",
    summary: "建议的门店编码",
    query: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: Type.String(),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/store/{id}",
    access: "store:read",
    summary: "门店详情",
    params: IdParams,
    reply: StoreDetail,
  }),
  showContact: endpoint({
    method: "POST",
    path: "/admin/v1/store/contact/{id}",
    access: "store:read",
    risk: "data",
    summary: "查看门店联系电话",
    params: IdParams,
    reply: RevealedContact,
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/store/save",
    access: "store:write",
    risk: "data",
    summary: "新增门店",
    body: Strict({ ...draftFields, tenantId: Type.Optional(TenantId) }),
    reply: RecordId,
  }),
  importLines: endpoint({
    method: "POST",
    path: "/admin/v1/store/import",
    access: "store:write",
    risk: "data",
    once: true,
    summary: "批量导入门店",
    body: ImportBody(
      StoreLine.properties,
      { tenantId: Type.Optional(TenantId) },
      MAX_IMPORTED_STORES,
    ),
    reply: ImportReply,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/store/update/{id}",
    access: "store:write",
    risk: "data",
    summary: "编辑门店",
    params: IdParams,
    body: Strict({ ...draftFields, editVersion: EditVersion }),
    reply: Nothing,
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/store/del/{id}",
    access: "store:write",
    risk: "data",
    summary: "删除门店",
    params: IdParams,
    reply: Nothing,
  }),
};
