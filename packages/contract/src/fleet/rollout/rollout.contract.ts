// Calls for roll-outs (下发任务): firmware or parameters for many cabinets, in stages with an automatic
// stop.

import { type Static, Type } from "typebox";
import { endpoint, Nothing, type Risk } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  idOf,
  ModelId,
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
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { Side } from "../../vocabulary/hardware.ts";
import { CabinetConfig, Connectivity } from "../cabinet/cabinet.contract.ts";
import { ROLLOUT_DEFAULTS, ROLLOUT_KINDS, ROLLOUT_STATES, TARGET_STATES } from "./rollout.rules.ts";

/** Number of cabinets by target state. */
const Counts = named(
  "RolloutCounts",
  Type.Object({
    total: Type.Integer(),
    waiting: Type.Integer(),
    inFlight: Type.Integer(),
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    cancelled: Type.Integer({ description: "已取消或已回退" }),
  }),
);

const RolloutStage = Type.Object({
  percent: Type.Integer(),
  ...Counts.properties,
  waitingOffline: Type.Integer({ description: "等待中且离线，不计入失败" }),
});

export const Rollout = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  name: Type.String(),
  kind: OneOf(ROLLOUT_KINDS),
  firmwareId: Nullable(Id),
  firmwareVersion: Nullable(Type.String()),
  config: Type.Union([CabinetConfig, Type.Null()]),
  state: OneOf(ROLLOUT_STATES),
  stateReason: Nullable(Type.String()),
  /** Current stage, from 1, and number of stages. */
  stage: Type.Integer(),
  stageCount: Type.Integer(),
  counts: Counts,
  startsAt: Timestamp,
  startedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
  actorName: Type.String(),
  createdAt: Timestamp,
});
export type Rollout = Static<typeof Rollout>;

export const RolloutEvent = Type.Object({
  at: Timestamp,
  kind: OneOf([
    "CREATED",
    "STARTED",
    "ADVANCED",
    "STOPPED",
    "PAUSED",
    "RESUMED",
    "RETRIED",
    "CANCELLED",
    "FINISHED",
    "REVERTED",
  ]),
  stage: Nullable(Type.Integer()),
  text: Type.String(),
  actorName: Nullable(Type.String()),
});
export type RolloutEvent = Static<typeof RolloutEvent>;

export const RolloutDetail = Type.Object({
  ...Rollout.properties,
  advancePercent: Type.Integer(),
  dwellMinutes: Type.Integer(),
  stopPercent: Type.Integer(),
  timeoutMinutes: Type.Integer(),
  /** Time at which enough of the stage had succeeded: start of the dwell time. */
  stageReachedAt: Nullable(Timestamp),
  stages: Type.Array(RolloutStage),
  /** Cabinets whose parameters can be reverted. */
  revertible: Type.Integer(),
  events: Type.Array(RolloutEvent),
});
export type RolloutDetail = Static<typeof RolloutDetail>;

export const RolloutTarget = Type.Object({
  cabinetId: Id,
  cabinetSn: Type.String(),
  cabinetName: Type.String(),
  storeName: Nullable(Type.String()),
  connectivity: Connectivity,
  /** From 1. */
  stage: Type.Integer(),
  state: OneOf(TARGET_STATES),
  detail: Nullable(Type.String()),
  isExcused: Type.Boolean({ description: "失败已被确认，不再计入失败率" }),
  attempts: Type.Integer(),
  fromVersion: Nullable(Type.String()),
  appVersion: Nullable(Type.String()),
  sentAt: Nullable(Timestamp),
  settledAt: Nullable(Timestamp),
  /** Time of the next offer after an open door prevented the installation. */
  notBefore: Nullable(Timestamp),
});
export type RolloutTarget = Static<typeof RolloutTarget>;

const selection = {
  tenantId: Type.Optional(TenantId),
  modelId: Type.Optional(ModelId),
  storeId: Type.Optional(StoreId),
  side: Type.Optional(Side),
};

const what = {
  kind: OneOf(ROLLOUT_KINDS, "下发内容"),
  firmwareId: Type.Optional(idOf("固件")),
};

export const NewRollout = Strict({
  name: nameOf("任务名称", 2, 60),
  ...what,
  config: Type.Optional(CabinetConfig),
  ...selection,
  cabinetIds: Type.Optional(
    Type.Array(Id, { title: "指定设备", minItems: 1, maxItems: 200, uniqueItems: true }),
  ),
  stagePercents: Type.Array(Type.Integer({ title: "分批百分比", minimum: 1, maximum: 100 }), {
    title: "分批百分比",
    minItems: 1,
    maxItems: 6,
    default: ROLLOUT_DEFAULTS.stagePercents,
  }),
  advancePercent: Type.Integer({
    title: "本批成功比例",
    minimum: 50,
    maximum: 100,
    default: ROLLOUT_DEFAULTS.advancePercent,
  }),
  dwellMinutes: Type.Integer({
    title: "观察时间（分钟）",
    minimum: 0,
    maximum: 10_080,
    default: ROLLOUT_DEFAULTS.dwellMinutes,
  }),
  stopPercent: Type.Integer({
    title: "停止阈值",
    minimum: 0,
    maximum: 50,
    default: ROLLOUT_DEFAULTS.stopPercent,
  }),
  timeoutMinutes: Type.Integer({
    title: "单台超时（分钟）",
    minimum: 5,
    maximum: 1440,
    default: ROLLOUT_DEFAULTS.timeoutMinutes,
  }),
  startsAt: Type.Optional(Type.String({ title: "开始时间", format: "date-time" })),
});
export type NewRollout = Static<typeof NewRollout>;

export const RolloutPreview = Type.Object({
  count: Type.Integer({ description: "会下发的设备数" }),
  online: Type.Integer(),
  /** Cabinets left out, by reason. */
  alreadyThere: Type.Integer({ description: "已是该版本或参数" }),
  otherModel: Type.Integer({ description: "型号不适用" }),
  busy: Type.Integer({ description: "正在另一个同类任务中" }),
  belowMinVersion: Type.Integer({ description: "现有版本低于最低版本，将被设备拒绝" }),
  newer: Type.Integer({ description: "现有版本更高，将会降级" }),
});
export type RolloutPreview = Static<typeof RolloutPreview>;

const action = (path: `/${string}`, summary: string, risk: Risk = "routine") =>
  endpoint({
    method: "PUT",
    path,
    access: "rollout:write",
    risk,
    summary,
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Nothing,
  });

export const rolloutContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/rollout/list",
    access: "rollout:read",
    summary: "下发任务列表",
    query: PageQuery({
      keyword: Type.Optional(Type.String({ title: "任务名称", maxLength: 64 })),
      kind: Type.Optional(OneOf(ROLLOUT_KINDS, "下发内容")),
      state: Type.Optional(OneOf(ROLLOUT_STATES, "状态")),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(Rollout),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/rollout/{id}",
    access: "rollout:read",
    summary: "下发任务详情",
    params: IdParams,
    reply: RolloutDetail,
  }),
  targets: endpoint({
    method: "GET",
    path: "/admin/v1/rollout/{id}/target/list",
    access: "rollout:read",
    summary: "下发任务的设备",
    params: IdParams,
    query: PageQuery({
      keyword: Type.Optional(Type.String({ title: "设备编号/名称", maxLength: 64 })),
      stage: Type.Optional(Type.Integer({ title: "批次", minimum: 1, maximum: 6 })),
      state: Type.Optional(OneOf(TARGET_STATES, "状态")),
    }),
    reply: PageOf(RolloutTarget),
  }),
  preview: endpoint({
    method: "GET",
    path: "/admin/v1/rollout/preview",
    access: "rollout:write",
    summary: "预览下发范围",
    query: Strict({
      ...what,
      ...selection,
      cabinetIds: Type.Optional(
        Type.String({ title: "指定设备", pattern: "^\\d{1,15}(,\\d{1,15}){0,199}$" }),
      ),
    }),
    reply: RolloutPreview,
  }),
  create: endpoint({
    method: "POST",
    path: "/admin/v1/rollout",
    access: "rollout:write",
    risk: "trust",
    summary: "新建下发任务",
    body: NewRollout,
    reply: Type.Object({ id: Id, count: Type.Integer() }),
  }),
  pause: action("/admin/v1/rollout/pause/{id}", "暂停下发任务"),
  resume: action("/admin/v1/rollout/resume/{id}", "继续下发任务"),
  cancel: action("/admin/v1/rollout/cancel/{id}", "取消下发任务"),
  retry: action("/admin/v1/rollout/retry/{id}", "重试失败的设备"),
  revert: action("/admin/v1/rollout/revert/{id}", "回退已下发的参数", "trust"),
};
