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
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { DOOR_SIDES } from "../../vocabulary/hardware.rules.ts";
import { CompartmentNo } from "../../vocabulary/hardware.ts";
import { COMMAND_CONFLICTS, COMMAND_KINDS, COMMAND_STATES } from "./command.rules.ts";

export const Command = Type.Object({
  id: Uuid,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  cabinetId: Id,
  cabinetSn: Type.String(),
  cabinetName: Type.String(),
  kind: OneOf(COMMAND_KINDS),
  no: Nullable(CompartmentNo),
  side: Nullable(OneOf(DOOR_SIDES)),
  state: OneOf(COMMAND_STATES),
  /** Reason of a refusal or failure, in Chinese; null when there is none. */
  detail: Nullable(Type.String()),
  reason: Type.String(),
  actorName: Type.String(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  sentAt: Nullable(Timestamp),
  ackedAt: Nullable(Timestamp),
  settledAt: Nullable(Timestamp),
  conflict: Nullable(OneOf(COMMAND_CONFLICTS, "应答矛盾")),
});
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
    body: Strict({
      no: CompartmentNo,
      side: Type.Optional(OneOf(DOOR_SIDES, "开门面")),
      reason: Reason,
    }),
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
      kind: Type.Optional(OneOf(COMMAND_KINDS, "操作")),
      state: Type.Optional(OneOf(COMMAND_STATES, "结果")),
      actorName: Type.Optional(Type.String({ title: "操作人", maxLength: 64 })),
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      tenantId: Type.Optional(TenantId),
    }),
    reply: PageOf(Command),
  }),
};
