// Calls for cabinets (设备): the list, details, and operator actions.

import { type Static, type TSchema, Type } from "typebox";
import { ChangedCount, endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  Day,
  EditVersion,
  Id,
  IdParams,
  Nullable,
  nameOf,
  OneOf,
  Reason,
  StoreId,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { OPENING_HOURS_PATTERN } from "../../kit/opening-hours.rules.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { Latitude, Longitude } from "../../kit/place.ts";
import { CabinetPricing, PricingRuleBody } from "../../money/pricing/pricing.contract.ts";
import { Side } from "../../vocabulary/hardware.ts";
import { CONNECTIVITIES, LIFECYCLES } from "./cabinet.rules.ts";
import { SERVICE_STATES } from "./cabinet-service.rules.ts";

export const Connectivity = OneOf(CONNECTIVITIES, "在线状态");
export const Lifecycle = OneOf(LIFECYCLES, "运营状态");

const CompartmentCounts = named(
  "CompartmentCounts",
  Type.Object({
    total: Type.Integer(),
    free: Type.Integer({ description: "可用：启用、空闲且门已关" }),
    occupied: Type.Integer({ description: "占用，不含故障" }),
    faulty: Type.Integer({ description: "停用、故障或异常" }),
  }),
);

export const CabinetService = named(
  "CabinetService",
  Type.Object({
    state: OneOf(SERVICE_STATES, "服务状态"),
    startsOn: Nullable(Day),
    endsOn: { ...Nullable(Day), description: "到期日，含当天" },
    daysLeft: Nullable(Type.Integer({ description: "到期日当天为 0，已到期为负" })),
  }),
);

/** 门店断网: `total` cabinets of the store went offline together, `back` of them are online again. */
const StoreOutage = Type.Object({ total: Type.Integer(), back: Type.Integer() });

const Clock = (title: string) => Type.String({ title, pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" });
const Celsius = (title: string) => Type.Integer({ title, minimum: -30, maximum: 80 });

/** Settings of a cabinet (设备参数); the cabinet chooses the value of an absent one. */
export const CabinetConfig = named(
  "CabinetConfig",
  Strict({
    volume: Type.Optional(Type.Integer({ title: "音量", minimum: 0, maximum: 100 })),
    lightOnAt: Type.Optional(Clock("开灯时间")),
    lightOffAt: Type.Optional(Clock("关灯时间")),
    temperatureTargetC: Type.Optional(Celsius("控温目标（℃）")),
    temperatureFromAt: Type.Optional(Clock("控温开始时间")),
    temperatureToAt: Type.Optional(Clock("控温结束时间")),
    temperatureHighC: Type.Optional(Celsius("高温报警（℃）")),
    temperatureLowC: Type.Optional(Celsius("低温报警（℃）")),
    doorOpenAlarmSeconds: Type.Optional(
      Type.Integer({ title: "箱门未关报警（秒）", minimum: 10, maximum: 3600 }),
    ),
    signalPoorDbm: Type.Optional(
      Type.Integer({ title: "弱信号报警（dBm）", minimum: -120, maximum: -60 }),
    ),
    supplyLowVolts: Type.Optional(
      Type.Number({ title: "低电压报警（V）", minimum: 5, maximum: 48 }),
    ),
    heartbeatSeconds: Type.Optional(
      Type.Integer({ title: "心跳间隔（秒）", minimum: 10, maximum: 60 }),
    ),
  }),
);
export type CabinetConfig = Static<typeof CabinetConfig>;

/** Partial update of the settings: absent keeps a value, null leaves it to the cabinet. */
export const CabinetConfigChange = Type.Unsafe<{
  [Name in keyof CabinetConfig]?: CabinetConfig[Name] | null;
}>(
  Strict(
    Object.fromEntries(
      Object.entries(CabinetConfig.properties).map(([name, setting]) => [
        name,
        Type.Optional(Nullable(setting)),
      ]),
    ),
  ),
);
export type CabinetConfigChange = Static<typeof CabinetConfigChange>;

/** Stored settings stay readable when a later version narrows their range. */
const StoredConfig = named(
  "StoredCabinetConfig",
  Type.Unsafe<CabinetConfig>(
    Type.Object(
      Object.fromEntries(
        Object.entries<TSchema & { minimum?: number; maximum?: number }>(
          CabinetConfig.properties,
        ).map(([name, { minimum: _, maximum: __, ...setting }]) => [name, Type.Optional(setting)]),
      ),
    ),
  ),
);

/** A cabinet may report other settings and values than requested; all of them are kept. */
const ReportedConfig = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
);

export const Cabinet = named(
  "ConsoleCabinet",
  Type.Object({
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
    service: CabinetService,
    connectivity: Connectivity,
    lastSeenAt: Nullable(Timestamp),
    storeOutage: Nullable(StoreOutage),
    appVersion: Nullable(Type.String()),
    signalDbm: Nullable(Type.Integer()),
    compartments: CompartmentCounts,
    desiredConfig: StoredConfig,
    desiredConfigVersion: Type.Integer(),
    reportedConfig: Nullable(ReportedConfig),
    reportedConfigVersion: Nullable(Type.Integer()),
  }),
);
export type Cabinet = Static<typeof Cabinet>;

const cabinetFilters = {
  keyword: Type.Optional(Type.String({ title: "编号/名称", maxLength: 64 })),
  modelId: Type.Optional(Id),
  side: Type.Optional(Side),
  storeId: Type.Optional(Id),
  connectivity: Type.Optional(Connectivity),
  lifecycle: Type.Optional(Lifecycle),
  serviceState: Type.Optional(OneOf(SERVICE_STATES, "服务状态")),
  hasFault: Type.Optional(Type.Boolean({ title: "有故障" })),
  tenantId: Type.Optional(TenantId),
  sort: Type.Optional(OneOf(["lastSeenAt", "sn", "name"], "排序")),
  order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
};

export const CabinetDetail = Type.Object({
  ...Cabinet.properties,
  storeAddress: Nullable(Type.String()),
  storeLongitude: Nullable(Type.Number()),
  storeLatitude: Nullable(Type.Number()),
  storeOpeningHours: Nullable(Type.String()),
  servicePhone: Type.String(),
  place: Type.String(),
  longitude: Nullable(Type.Number({ description: "为空时以门店为准" })),
  latitude: Nullable(Type.Number()),
  openingHours: Type.String({ description: "为空时以门店为准" }),
  modelVendor: Type.String(),
  modelCapabilities: Type.Array(Type.String()),
  desiredConfigAt: Nullable(Timestamp),
  reportedConfigAt: Nullable(Timestamp),
  pricing: CabinetPricing,
  editVersion: Type.Integer(),
  editedAt: Nullable(Timestamp),
  editedBy: Nullable(Type.String()),
  temperatureC: Nullable(Type.Number()),
  clockSkewSeconds: Nullable(Type.Integer()),
  invalidReadings: Type.Array(Type.String(), {
    description: "设备上报中最近一次取值无效、已被忽略的字段",
  }),
  createdAt: Timestamp,
});
export type CabinetDetail = Static<typeof CabinetDetail>;

/** Fields of the edit page; empty values clear. */
export const CabinetEdit = Strict({
  /** Optimistic lock: versions at the time the form was loaded. */
  editVersion: EditVersion,
  desiredConfigVersion: { ...EditVersion, title: "参数版本" },
  name: nameOf("设备名称", 2, 40),
  storeId: Nullable(StoreId),
  servicePhone: Type.String({
    title: "客服电话",
    maxLength: 20,
    pattern: "^(\\+?\\d[\\d -]{4,18})?$",
    examples: ["0571-88886666"],
  }),
  place: Type.String({ title: "位置说明", maxLength: 120 }),
  longitude: Longitude,
  latitude: Latitude,
  openingHours: Type.String({ title: "开放时间", pattern: OPENING_HOURS_PATTERN }),
  config: CabinetConfigChange,
  /** The cabinet's own rule; null: uses that of its store or tenant. */
  pricing: Nullable(PricingRuleBody),
});
export type CabinetEdit = Static<typeof CabinetEdit>;

const CabinetIds = Type.Array(Id, { title: "设备", minItems: 1, maxItems: 200, uniqueItems: true });

const CabinetStatistics = named(
  "CabinetStatistics",
  Type.Object({
    total: Type.Integer({ description: "在线、连接中、离线与从未连接，不含已停用" }),
    online: Type.Integer(),
    offline: Type.Integer(),
    never: Type.Integer({ description: "从未连接" }),
    retired: Type.Integer({ description: "已停用" }),
  }),
);

export const cabinetContract = {
  statistics: endpoint({
    method: "GET",
    path: "/admin/v1/locker/num/statistics",
    access: "signed-in",
    summary: "设备数量统计",
    query: Strict({ side: Type.Optional(Side), tenantId: Type.Optional(TenantId) }),
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
    risk: "routine",
    summary: "暂停运营",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  resume: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/resume/{id}",
    access: "cabinet:write",
    risk: "routine",
    summary: "恢复运营",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  update: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/{id}",
    access: "cabinet:write",
    risk: "data",
    summary: "编辑设备",
    params: IdParams,
    body: CabinetEdit,
    reply: Type.Object({
      isConfigChanged: Type.Boolean(),
      isConnected: Type.Boolean({ description: "否：参数在设备上线后同步" }),
    }),
  }),
  retire: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/retire/{id}",
    access: "cabinet:write",
    risk: "data",
    summary: "停用设备",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  }),
  assignStore: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/store",
    access: "cabinet:write",
    risk: "routine",
    summary: "批量分配门店",
    body: Strict({ cabinetIds: CabinetIds, storeId: Nullable(Id) }),
    reply: ChangedCount,
  }),
  pushConfig: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/config",
    access: "cabinet:write",
    risk: "routine",
    summary: "批量下发参数",
    body: Strict({ cabinetIds: CabinetIds, config: CabinetConfig }),
    reply: Type.Object({ changed: Type.Integer({ description: "离线设备上线后同步" }) }),
  }),
  syncConfig: endpoint({
    method: "POST",
    path: "/admin/v1/locker/config/sync/{id}",
    access: "cabinet:write",
    risk: "routine",
    summary: "同步配置",
    params: IdParams,
    reply: Nothing,
  }),
};
