// Calls for cabinet events (设备状态日志) and the presence of a cabinet.
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  Nullable,
  OneOf,
  Strict,
  TenantId,
  Timestamp,
  Uuid,
} from "../../kit/fields.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { DOOR_SIDES } from "../../vocabulary/hardware.rules.ts";
import { CompartmentNo } from "../../vocabulary/hardware.ts";
import { EVENT_GROUPS, knownKinds, PRESENCE_STATES } from "./cabinet-event.rules.ts";

export const CabinetEvent = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  cabinetId: Id,
  cabinetSn: Type.String(),
  cabinetName: Type.String(),
  kind: Type.String(),
  text: Type.String({ description: "发生了什么，一句话" }),
  isProblem: Type.Boolean(),
  no: Nullable(CompartmentNo),
  side: Nullable(OneOf(DOOR_SIDES)),
  /** Command that caused the event. */
  commandId: Nullable(Uuid),
  deviceAt: Nullable(Timestamp),
  receivedAt: Timestamp,
  /** Boot number and report number; null for events observed by the server. */
  bootNo: Nullable(Type.Integer()),
  n: Nullable(Type.Integer()),
  /** JSON as reported or observed. */
  payload: Nullable(Type.String()),
});
export type CabinetEvent = Static<typeof CabinetEvent>;

export const CabinetPresence = Type.Object({
  from: Timestamp,
  to: Timestamp,
  spans: Type.Array(Type.Object({ state: OneOf(PRESENCE_STATES), from: Timestamp, to: Timestamp })),
  onlineShare: Nullable(Type.Number({ description: "在线时长占已知时长的比例，0 到 1" })),
});
export type CabinetPresence = Static<typeof CabinetPresence>;

export const cabinetEventContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v1/locker/event/list",
    access: "cabinet-event:read",
    summary: "设备状态日志",
    query: PageQuery({
      cabinetId: Type.Optional(Id),
      keyword: Type.Optional(Type.String({ title: "设备编号/名称", maxLength: 64 })),
      group: Type.Optional(OneOf(EVENT_GROUPS, "类别")),
      kind: Type.Optional(OneOf(knownKinds, "事件")),
      no: Type.Optional(CompartmentNo),
      isProblem: Type.Optional(Type.Boolean({ title: "是否异常" })),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(CabinetEvent),
  }),
  presence: endpoint({
    method: "GET",
    path: "/admin/v1/locker/{id}/presence",
    access: "cabinet-event:read",
    summary: "设备在线时段",
    params: IdParams,
    query: Strict({
      hours: Type.Integer({ title: "最近小时数", minimum: 1, maximum: 720, default: 24 }),
    }),
    reply: CabinetPresence,
  }),
};
