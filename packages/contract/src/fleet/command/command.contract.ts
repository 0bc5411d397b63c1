// Calls for commands (指令): opening a door, restarting a cabinet, and the operation log of both.

import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  Nullable,
  OneOf,
  Reason,
  Strict,
  TenantId,
  Timestamp,
  Uuid,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { DOOR_SIDES, DOOR_STATES, ITEM_STATES, SIDES } from "../../vocabulary/hardware.rules.ts";
import { CompartmentNo } from "../../vocabulary/hardware.ts";
import { ACTOR_KINDS } from "../../vocabulary/order.rules.ts";
import { COMMAND_ACTS, COMMAND_CONFLICTS, COMMAND_KINDS, COMMAND_STATES } from "./command.rules.ts";

export const Command = named(
  "Command",
  Type.Object({
    id: Uuid,
    tenantId: Type.Integer(),
    tenantName: Type.String(),
    cabinetId: Id,
    cabinetSn: Type.String(),
    cabinetName: Type.String(),
    kind: OneOf(COMMAND_KINDS),
    act: { ...OneOf(COMMAND_ACTS), description: "做了什么、由谁发起：人工开门与用户自己开门分开" },
    no: Nullable(CompartmentNo),
    side: Nullable(OneOf(DOOR_SIDES)),
    /** Side of the cabinet. */
    cabinetSide: OneOf(SIDES),
    /** The order whose door it was. */
    orderId: Nullable(Id),
    /** By the last report before the command. */
    itemBefore: Nullable(OneOf(ITEM_STATES)),
    doorBefore: Nullable(OneOf(DOOR_STATES)),
    state: OneOf(COMMAND_STATES),
    /** Reason of a refusal or failure, in Chinese; null when there is none. */
    detail: Nullable(Type.String()),
    reason: Type.String(),
    actorKind: OneOf(ACTOR_KINDS),
    actorName: Type.String(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    sentAt: Nullable(Timestamp),
    ackedAt: Nullable(Timestamp),
    settledAt: Nullable(Timestamp),
    conflict: Nullable(OneOf(COMMAND_CONFLICTS, "应答矛盾")),
  }),
);
export type Command = Static<typeof Command>;

/**
 * Message on the cabinet link about a command, or an event at the cabinet that followed from it.
 */
export const CommandFrame = Type.Object({
  at: Timestamp,
  direction: OneOf(["DOWN", "UP"]),
  topic: Type.String({ description: "如 dn/cmd、up/ack、up/evt" }),
  message: Type.String({ description: "JSON 原文" }),
  /**
   * Set if the report contradicts the command or an earlier report; such a report is not applied.
   */
  conflict: Nullable(OneOf(COMMAND_CONFLICTS, "应答矛盾")),
});
export type CommandFrame = Static<typeof CommandFrame>;

/** An operator opens a door. */
export const DoorOpening = named(
  "DoorOpening",
  Strict({
    no: CompartmentNo,
    side: Type.Optional(OneOf(DOOR_SIDES, "开门面")),
    reason: Reason,
  }),
);

export const commandContract = {
  open: endpoint({
    method: "POST",
    path: "/admin/v1/locker/{id}/open",
    access: "command:open",
    risk: "routine",
    load: "critical",
    pressed: true,
    summary: "远程开门",
    params: IdParams,
    body: DoorOpening,
    reply: Command,
  }),
  restart: endpoint({
    method: "POST",
    path: "/admin/v1/locker/{id}/restart",
    access: "command:restart",
    risk: "routine",
    pressed: true,
    summary: "重启设备",
    params: IdParams,
    body: Strict({ reason: Reason }),
    reply: Command,
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v1/command/{id}",
    access: "command:read",
    load: "critical",
    summary: "指令的当前状态",
    params: Strict({ id: Uuid }),
    reply: Command,
  }),
  frames: endpoint({
    method: "GET",
    path: "/admin/v1/command/{id}/frames",
    access: "command:read",
    summary: "指令的收发报文",
    params: Strict({ id: Uuid }),
    reply: Type.Array(CommandFrame),
  }),
  list: endpoint({
    method: "GET",
    path: "/admin/v1/command/list",
    access: "command:read",
    summary: "操作日志",
    query: PageQuery({
      cabinetId: Type.Optional(Id),
      keyword: Type.Optional(Type.String({ title: "设备编号/名称", maxLength: 64 })),
      no: Type.Optional(CompartmentNo),
      kind: Type.Optional(OneOf(COMMAND_KINDS, "指令")),
      act: Type.Optional(OneOf(COMMAND_ACTS, "操作")),
      actorKind: Type.Optional(OneOf(ACTOR_KINDS, "操作人类型")),
      state: Type.Optional(OneOf(COMMAND_STATES, "结果")),
      actorName: Type.Optional(Type.String({ title: "操作人", maxLength: 64 })),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(Command),
  }),
};
