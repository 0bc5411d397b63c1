// Asking for a command: refused at once where it cannot be sent this instant, never kept for later.
import type { Command } from "@cabinet/contract/command/command.contract.ts";
import { type DoorSide, doorSideText } from "@cabinet/contract/compartment/compartment.rules.ts";
import type { Ctx } from "../../platform/context.ts";
import { refuse } from "../../platform/errors.ts";
import { pushLive } from "../../platform/live.ts";
import { notify } from "../../platform/notify.ts";
import { type CommandTarget, insertCommand, lockTarget, type NewCommand } from "./command.sql.ts";

/** What the gateway is told when a command waits to be sent. */
export interface CommandNotice {
  tenantId: number;
  id: string;
  sn: string;
  /** The gateway that has the cabinet's session. */
  gatewayId: string | null;
}

/**
 * Opens one door once, for one human reason. Paused cabinets and faulty compartments open too, so
 * that goods can be taken out; a retired cabinet does not.
 */
export async function openCompartment(
  ctx: Ctx,
  wish: { cabinetId: number; no: number; side?: DoorSide; reason: string },
): Promise<Command> {
  const { no, side = "FRONT", reason } = wish;
  const target = await requireTarget(ctx, wish.cabinetId, no);
  const door = side === "FRONT" ? target.doorFront : target.doorBack;
  const opposite = side === "FRONT" ? target.doorBack : target.doorFront;
  if (!target.doorFront) refuse("NOT_FOUND", { what: `${no} 号格口` });
  if (!door) refuse("NOT_FOUND", { what: `${no} 号格口的${doorSideText[side]}门` });
  if (opposite === "OPEN") refuse("OPPOSITE_DOOR_OPEN", { no });
  if (opposite === "UNKNOWN") {
    refuse("OPPOSITE_DOOR_UNKNOWN", {
      no,
      side: doorSideText[side === "FRONT" ? "BACK" : "FRONT"],
    });
  }
  const command = await queueCommand(ctx, { target, kind: "OPEN", no, side, reason });
  if (!command) refuse("COMMAND_IN_FLIGHT", { no });
  return command;
}

export async function restartCabinet(
  ctx: Ctx,
  wish: { cabinetId: number; reason: string },
): Promise<Command> {
  const target = await requireTarget(ctx, wish.cabinetId, null);
  const { reason } = wish;
  const command = await queueCommand(ctx, {
    target,
    kind: "RESTART",
    no: null,
    side: null,
    reason,
  });
  if (!command) refuse("RESTART_IN_FLIGHT");
  return command;
}

async function requireTarget(
  ctx: Ctx,
  cabinetId: number,
  no: number | null,
): Promise<CommandTarget> {
  const target = await lockTarget(ctx.db, ctx.session, cabinetId, no);
  if (!target) refuse("NOT_FOUND", { what: "设备" });
  if (target.lifecycle === "RETIRED") refuse("CABINET_RETIRED");
  if (!target.isConnected) refuse("CABINET_OFFLINE");
  return target;
}

/** The row and the notice to its gateway are one transaction. */
async function queueCommand(
  { db, session, origin, audit }: Ctx,
  wish: Omit<NewCommand, "actor" | "requestId">,
): Promise<Command | null> {
  const actor = { id: session.operatorId, name: session.displayName };
  const command = await insertCommand(db, { ...wish, actor, requestId: origin.requestId });
  if (!command) return null;
  const { tenantId, cabinetId, sn, gatewayId } = wish.target;
  const notice: CommandNotice = { tenantId, id: command.id, sn, gatewayId };
  await Promise.all([
    notify(db, "command", notice),
    pushLive(db, { topic: "command", tenantId, cabinetId }),
  ]);
  const { id, kind, no, side } = command;
  audit({ tenantId, target: sn, reason: wish.reason, after: { commandId: id, kind, no, side } });
  return command;
}
