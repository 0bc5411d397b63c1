// Command requests: refused at once when the cabinet is not connected; never queued for later.

import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import type { OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import {
  type DoorSide,
  doorSideText,
  otherSide,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { type Actor, operatorActor } from "../../../platform/actor.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { notify } from "../../../platform/db/notify.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { currentTraceparent } from "../../../platform/tracing.ts";
import {
  type CommandTarget,
  insertCommand,
  lockTarget,
  type NewCommand,
  type Viewer,
} from "./command.sql.ts";

/** Payload of the `command` notification to the gateway when a command is queued. */
export interface CommandNotice {
  tenantId: number;
  id: string;
  sn: string;
  /** The gateway that has the cabinet's session; null if none. */
  gatewayId: string | null;
}

/** Opens one door once from the console; a reason given by the operator is required. */
export async function openCompartment(
  ctx: Ctx,
  request: { cabinetId: number; no: number; side?: DoorSide; reason: string },
): Promise<Command> {
  const { cabinetId, no, side = "FRONT", reason } = request;
  const command = await openDoor(ctx.db, ctx.session, {
    ...{ cabinetId, no, side, reason },
    actor: operatorActor(ctx.session),
    requestId: ctx.origin.requestId,
  });
  note(ctx, command);
  return command;
}

interface DoorRequest {
  cabinetId: number;
  no: number;
  side: DoorSide;
  reason: string;
  actor: Actor;
  requestId: string;
  /** The order and the purpose of the opening; the caller holds the lock on the order's row. */
  order?: { id: number; purpose: OpenPurpose };
}

/**
 * Opens one door once. PAUSED cabinets and faulty compartments open too, so that goods can be taken
 * out; a RETIRED cabinet opens only for the goods of an order.
 */
export async function openDoor(db: Db, viewer: Viewer, request: DoorRequest): Promise<Command> {
  const { cabinetId, no, side, order, ...rest } = request;
  const isForGoods = order !== undefined && order.purpose !== "DEPOSIT";
  const target = await lockTargetOrRefuse(db, viewer, { cabinetId, no, isForGoods });
  const doors = { FRONT: target.doorFront, BACK: target.doorBack };
  const door = doors[side];
  const opposite = doors[otherSide[side]];
  if (!target.doorFront) refuse("NOT_FOUND", { what: `${no} 号格口` });
  if (!door) refuse("NOT_FOUND", { what: `${no} 号格口的${doorSideText[side]}门` });
  if (opposite === "OPEN") refuse("OPPOSITE_DOOR_OPEN", { no });
  if (opposite === "UNKNOWN") {
    refuse("OPPOSITE_DOOR_UNKNOWN", {
      no,
      side: doorSideText[otherSide[side]],
    });
  }
  const command = await queueCommand(db, { ...rest, target, kind: "OPEN", no, side, order });
  return command ?? refuse("COMMAND_IN_FLIGHT", { no });
}

export async function restartCabinet(
  ctx: Ctx,
  { cabinetId, reason }: { cabinetId: number; reason: string },
): Promise<Command> {
  const { db, session, origin } = ctx;
  const place = { cabinetId, no: null, isForGoods: false };
  const target = await lockTargetOrRefuse(db, session, place);
  const command = await queueCommand(db, {
    ...{ target, kind: "RESTART", no: null, side: null, reason },
    actor: operatorActor(session),
    requestId: origin.requestId,
  });
  if (!command) refuse("RESTART_IN_FLIGHT");
  note(ctx, command);
  return command;
}

async function lockTargetOrRefuse(
  db: Db,
  viewer: Viewer,
  { cabinetId, no, isForGoods }: { cabinetId: number; no: number | null; isForGoods: boolean },
): Promise<CommandTarget> {
  const target = await lockTarget(db, viewer, cabinetId, no);
  if (!target) refuse("NOT_FOUND", { what: "设备" });
  if (target.lifecycle === "RETIRED" && !isForGoods) refuse("CABINET_RETIRED");
  if (!target.isConnected) refuse("CABINET_OFFLINE");
  if (!target.isBrokerReached) refuse("BROKER_UNREACHABLE");
  return target;
}

/** Inserts the command and notifies its gateway in one transaction. */
async function queueCommand(
  db: Db,
  request: Omit<NewCommand, "traceparent">,
): Promise<Command | null> {
  const command = await insertCommand(db, { ...request, traceparent: currentTraceparent() });
  if (!command) return null;
  const { tenantId, cabinetId, sn, gatewayId } = request.target;
  const notice: CommandNotice = { tenantId, id: command.id, sn, gatewayId };
  await Promise.all([
    notify(db, "command", notice),
    pushLive(db, { topic: "command", tenantId, cabinetId }),
  ]);
  return command;
}

function note(ctx: Ctx, { tenantId, cabinetSn, id, kind, no, side, reason }: Command): void {
  const target = no === null ? `设备 ${cabinetSn}` : `设备 ${cabinetSn} · ${no} 号格口`;
  ctx.audit({ tenantId, target, reason, after: { commandId: id, kind, no, side } });
}
