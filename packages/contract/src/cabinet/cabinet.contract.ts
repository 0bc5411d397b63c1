// Cabinets (设备): the list, what it says of each, and what an operator does with them.
import { type Static, Type } from "typebox";
import { Side } from "../cabinet-model/cabinet-model.contract.ts";
import { endpoint, Nothing } from "../kit/endpoint.ts";
import { Id, IdParams, Nullable, OneOf, Reason, Strict, Timestamp } from "../kit/fields.ts";
import { PageOf, PageQuery } from "../kit/pagination.ts";
import { CONNECTIVITIES, LIFECYCLES } from "./cabinet.rules.ts";

export const Connectivity = OneOf(CONNECTIVITIES, "在线状态");
export const Lifecycle = OneOf(LIFECYCLES, "运营状态");

export const CompartmentCounts = Type.Object({
  total: Type.Integer(),
  free: Type.Integer({ description: "可用：启用、空闲且门已关" }),
  occupied: Type.Integer({ description: "占用，不含故障" }),
  faulty: Type.Integer({ description: "停用、故障或异常" }),
});

export const Cabinet = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  sn: Type.String(),
  name: Type.String(),
  modelId: Id,
  modelName: Type.String(),
  side: Side,
  storeId: Nullable(Id),
  storeName: Nullable(Type.String()),
  lifecycle: Lifecycle,
  connectivity: Connectivity,
  lastSeenAt: Nullable(Timestamp),
  appVersion: Nullable(Type.String()),
  signalDbm: Nullable(Type.Integer()),
  compartments: CompartmentCounts,
  desiredConfigVersion: Type.Integer(),
  reportedConfigVersion: Nullable(Type.Integer()),
});
export type Cabinet = Static<typeof Cabinet>;

export const cabinetFilters = {
  keyword: Type.Optional(Type.String({ title: "编号/名称", maxLength: 64 })),
  modelId: Type.Optional(Id),
  side: Type.Optional(Side),
  storeId: Type.Optional(Id),
  connectivity: Type.Optional(Connectivity),
  lifecycle: Type.Optional(Lifecycle),
  hasFault: Type.Optional(Type.Boolean({ title: "有故障" })),
  tenantId: Type.Optional(Type.Integer({ title: "租户", minimum: 1 })),
  sort: Type.Optional(OneOf(["lastSeenAt", "sn", "name"], "排序")),
  order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
};

/** Parameters an operator may push to many cabinets at once (下发参数). */
export const CabinetConfig = Strict({
  volume: Type.Optional(Type.Integer({ title: "音量", minimum: 0, maximum: 100 })),
  lightOnAt: Type.Optional(
    Type.String({ title: "开灯时间", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" }),
  ),
  lightOffAt: Type.Optional(
    Type.String({ title: "关灯时间", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" }),
  ),
  doorOpenAlarmSeconds: Type.Optional(
    Type.Integer({ title: "箱门未关报警（秒）", minimum: 10, maximum: 3600 }),
  ),
  heartbeatSeconds: Type.Optional(
    Type.Integer({ title: "心跳间隔（秒）", minimum: 10, maximum: 60 }),
  ),
});
export type CabinetConfig = Static<typeof CabinetConfig>;

export const CabinetDetail = Type.Object({
  ...Cabinet.properties,
  storeAddress: Nullable(Type.String()),
  desiredConfig: CabinetConfig,
  reportedConfig: Nullable(CabinetConfig),
  temperatureC: Nullable(Type.Number()),
  clockSkewSeconds: Nullable(Type.Integer()),
  createdAt: Timestamp,
});
export type CabinetDetail = Static<typeof CabinetDetail>;

const CabinetIds = Type.Array(Id, { title: "设备", minItems: 1, maxItems: 200, uniqueItems: true });

export const CabinetStatistics = Type.Object({
  total: Type.Integer(),
  online: Type.Integer(),
  offline: Type.Integer(),
  never: Type.Integer({ description: "从未连接" }),
});

export const cabinetContract = {
  statistics: endpoint({
    method: "GET",
    path: "/admin/v1/locker/num/statistics",
    access: "signed-in",
    summary: "设备数量统计",
    query: Strict({ side: Type.Optional(Side) }),
    reply: CabinetStatistics,
  }),
  list: endpoint({
    method: "GET",
    path: "/admin/v1/locker/list",
    access: "cabinet:read",
    summary: "设备列表",
    query: PageQuery(cabinetFilters),
    reply: PageOf(Cabinet),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/locker/{id}",
    access: "cabinet:read",
    summary: "设备详情",
    params: IdParams,
    reply: CabinetDetail,
  }),
  pause: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/pause/{id}",
    access: "cabinet:write",
    summary: "暂停运营",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  resume: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/resume/{id}",
    access: "cabinet:write",
    summary: "恢复运营",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  assignStore: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/store",
    access: "cabinet:write",
    summary: "批量分配门店",
    body: Strict({ cabinetIds: CabinetIds, storeId: Nullable(Id) }),
    reply: Type.Object({ changed: Type.Integer() }),
  }),
  pushConfig: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/config",
    access: "cabinet:write",
    summary: "批量下发参数",
    body: Strict({ cabinetIds: CabinetIds, config: CabinetConfig }),
    reply: Type.Object({ changed: Type.Integer({ description: "离线设备上线后同步" }) }),
  }),
  syncConfig: endpoint({
    method: "POST",
    path: "/admin/v1/locker/config/sync/{id}",
    access: "cabinet:write",
    summary: "同步配置",
    params: IdParams,
    reply: Nothing,
  }),
};
