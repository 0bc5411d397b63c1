// Calls for the service of cabinets (设备服务): period, renewal, stop and resume, history.

import { type Static, Type } from "typebox";
import { ChangedCount, endpoint } from "../../kit/endpoint.ts";
import { Day, Id, Nullable, OneOf, Reason, Strict, TenantId, Timestamp } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { CabinetService } from "../cabinet/cabinet.contract.ts";
import { LIFECYCLES } from "../cabinet/cabinet.rules.ts";
import { SERVICE_ACTIONS, SERVICE_STATES } from "../cabinet/cabinet-service.rules.ts";

export const ServicedCabinet = Type.Object({
  cabinetId: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  sn: Type.String(),
  name: Type.String(),
  modelName: Type.String(),
  storeName: Nullable(Type.String()),
  lifecycle: OneOf(LIFECYCLES, "运营状态"),
  occupied: Type.Integer({ description: "仍有物品的格口数" }),
  service: CabinetService,
  stoppedAt: Nullable(Timestamp),
  stopReason: Nullable(Type.String()),
  today: { ...Day, description: "服务器的今天，续期从它算起" },
});
export type ServicedCabinet = Static<typeof ServicedCabinet>;

const ServicePeriodFacts = named(
  "ServicePeriod",
  Type.Object({
    startsOn: Nullable(Day),
    endsOn: Nullable(Day),
    isStopped: Type.Boolean(),
  }),
);

export const ServiceRecord = Type.Object({
  id: Id,
  at: Timestamp,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  cabinetId: Id,
  cabinetSn: Type.String(),
  cabinetName: Type.String(),
  action: OneOf(SERVICE_ACTIONS),
  actorName: Type.String(),
  before: ServicePeriodFacts,
  after: ServicePeriodFacts,
  reason: Type.String(),
});
export type ServiceRecord = Static<typeof ServiceRecord>;

const CabinetIds = Type.Array(Id, { title: "设备", minItems: 1, maxItems: 200, uniqueItems: true });
const tenantId = Type.Optional(TenantId);

/** Either months or a last day. */
export const RenewalFields = {
  months: Type.Optional(Type.Integer({ title: "续期月数", minimum: 1, maximum: 120 })),
  endsOn: Type.Optional({ ...Day, title: "到期日" }),
  startsOn: Type.Optional({ ...Day, title: "开始日期" }),
  reason: Reason,
};

export const cabinetServiceContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/locker/service/list",
    access: "platform",
    summary: "设备服务列表",
    query: PageQuery({
      keyword: Type.Optional(Type.String({ title: "编号/名称", maxLength: 64 })),
      state: Type.Optional(OneOf(SERVICE_STATES, "服务状态")),
      withinDays: Type.Optional(Type.Integer({ title: "几天内到期", minimum: 0, maximum: 3660 })),
      modelId: Type.Optional(Id),
      tenantId,
      sort: Type.Optional(OneOf(["endsOn", "sn", "name"], "排序")),
      order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
    }),
    reply: PageOf(ServicedCabinet),
  }),
  renew: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/service/renew",
    access: "platform",
    risk: "trust",
    summary: "设备服务续期",
    body: Strict({
      cabinetIds: CabinetIds,
      // Optimistic lock: the last days shown on screen; a concurrent renewal is not added to.
      endsOnBefore: Type.Array(Nullable(Day), { title: "原到期日", minItems: 1, maxItems: 200 }),
      ...RenewalFields,
    }),
    reply: ChangedCount,
  }),
  stop: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/service/stop",
    access: "platform",
    risk: "trust",
    summary: "停止设备服务",
    body: Strict({ cabinetIds: CabinetIds, reason: Reason }),
    reply: ChangedCount,
  }),
  resume: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/service/resume",
    access: "platform",
    risk: "trust",
    summary: "恢复设备服务",
    body: Strict({ cabinetIds: CabinetIds, reason: Reason }),
    reply: ChangedCount,
  }),
  records: endpoint({
    method: "GET",
    path: "/admin/v1/locker/service/record",
    access: "platform",
    summary: "设备服务操作记录",
    query: PageQuery({
      cabinetId: Type.Optional(Id),
      keyword: Type.Optional(Type.String({ title: "设备编号/名称", maxLength: 64 })),
      action: Type.Optional(OneOf(SERVICE_ACTIONS, "操作")),
      actorName: Type.Optional(Type.String({ title: "操作人", maxLength: 64 })),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      tenantId,
    }),
    reply: PageOf(ServiceRecord),
  }),
};
