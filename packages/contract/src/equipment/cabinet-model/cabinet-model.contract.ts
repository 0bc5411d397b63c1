// Calls for cabinet models (设备型号): layout and capabilities shared by cabinets.

import { type Static, Type } from "typebox";
import { endpoint, Nothing, RecordId } from "../../kit/endpoint.ts";
import {
  EditVersion,
  Id,
  IdParams,
  nameOf,
  OneOf,
  Reason,
  Strict,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { SIZES } from "../../vocabulary/hardware.rules.ts";
import { CompartmentNo, Side } from "../../vocabulary/hardware.ts";
import { CAPABILITIES, HEARTBEAT_SECONDS, OFFLINE_SECONDS } from "./cabinet-model.rules.ts";
import { BOARD_ADDRESS_PATTERN, MAX_COLUMNS, MAX_COMPARTMENTS, MAX_ROWS } from "./layout.rules.ts";

export const CabinetModelOption = Type.Object({ id: Id, name: Type.String(), side: Side });
export type CabinetModelOption = Static<typeof CabinetModelOption>;

const Column = Type.Integer({ title: "列", minimum: 1, maximum: MAX_COLUMNS });
const Row = Type.Integer({ title: "行", minimum: 1, maximum: MAX_ROWS });

const LayoutCell = named(
  "LayoutCell",
  Strict({
    no: CompartmentNo,
    size: OneOf(SIZES, "大小"),
    column: Column,
    row: Row,
    rowSpan: Type.Integer({ title: "高度（行）", minimum: 1, maximum: MAX_ROWS }),
    boardAddress: Type.String({ title: "驱动板地址", pattern: BOARD_ADDRESS_PATTERN }),
  }),
);

const Layout = named(
  "Layout",
  Strict({
    columns: Type.Integer({ title: "列数", minimum: 1, maximum: MAX_COLUMNS }),
    rows: Type.Integer({ title: "行数", minimum: 1, maximum: MAX_ROWS }),
    cells: Type.Array(LayoutCell, { title: "格口", maxItems: MAX_COMPARTMENTS }),
  }),
);

const draftFields = {
  name: nameOf("名称", 2, 40),
  side: Side,
  vendor: Type.String({ title: "厂商", maxLength: 40 }),
  capabilities: Type.Array(OneOf(CAPABILITIES, "能力"), { title: "能力", uniqueItems: true }),
  heartbeatSeconds: Type.Integer({
    title: "心跳间隔",
    minimum: HEARTBEAT_SECONDS.min,
    maximum: HEARTBEAT_SECONDS.max,
  }),
  offlineSeconds: Type.Integer({
    title: "离线阈值",
    minimum: OFFLINE_SECONDS.min,
    maximum: OFFLINE_SECONDS.max,
  }),
  remark: Type.String({ title: "备注", maxLength: 200 }),
  layout: Layout,
};

export const CabinetModelDraft = Strict(draftFields);
export type CabinetModelDraft = Static<typeof CabinetModelDraft>;

const CabinetModelChange = Strict({
  ...draftFields,
  version: EditVersion,
  reason: Type.Optional(Reason),
});

const SizeCounts = named(
  "SizeCounts",
  Type.Object({ S: Type.Integer(), M: Type.Integer(), L: Type.Integer(), XL: Type.Integer() }),
);

export const CabinetModel = Type.Object({
  id: Id,
  name: Type.String(),
  side: Side,
  vendor: Type.String(),
  capabilities: Type.Array(OneOf(CAPABILITIES)),
  heartbeatSeconds: Type.Integer(),
  offlineSeconds: Type.Integer(),
  remark: Type.String(),
  sizes: SizeCounts,
  cabinetCount: Type.Integer({ description: "使用该类型、且在账号管理范围内的设备数" }),
  version: Type.Integer(),
  updatedAt: Timestamp,
});
export type CabinetModel = Static<typeof CabinetModel>;

export const CabinetModelDetail = Type.Object({ ...CabinetModel.properties, layout: Layout });
export type CabinetModelDetail = Static<typeof CabinetModelDetail>;

export const cabinetModelContract = {
  options: endpoint({
    method: "GET",
    path: "/admin/v1/locker/model/options",
    access: "cabinet:read",
    summary: "可选择的设备型号",
    reply: Type.Array(CabinetModelOption),
  }),
  list: endpoint({
    method: "GET",
    path: "/admin/v1/locker/model/list",
    access: "cabinet-model:read",
    summary: "设备型号列表",
    query: PageQuery({
      name: Type.Optional(Type.String({ title: "名称", maxLength: 64 })),
      side: Type.Optional(Side),
      vendor: Type.Optional(Type.String({ title: "厂商", maxLength: 64 })),
      sort: Type.Optional(OneOf(["name", "cabinetCount", "updatedAt"], "排序")),
      order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
    }),
    reply: PageOf(CabinetModel),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/locker/model/{id}",
    access: "cabinet-model:read",
    summary: "设备型号详情",
    params: IdParams,
    reply: CabinetModelDetail,
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/locker/model",
    access: "platform",
    risk: "data",
    summary: "新增设备型号",
    body: CabinetModelDraft,
    reply: RecordId,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/model/{id}",
    access: "platform",
    risk: "data",
    summary: "修改设备型号",
    params: IdParams,
    body: CabinetModelChange,
    reply: Type.Object({ changedCabinets: Type.Integer({ description: "格口被调整的设备数" }) }),
  }),
  delete: endpoint({
    method: "DELETE",
    path: "/admin/v1/locker/model/{id}",
    access: "platform",
    risk: "data",
    summary: "删除没有设备使用的设备型号",
    params: IdParams,
    reply: Nothing,
  }),
};
