// Operator actions on one compartment: enable, disable, mark as faulty, clear.

import type {
  Compartment,
  CompartmentEvent,
} from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import {
  type AdminAction,
  adminActions,
  mayChangeAdminState,
  mayClear,
  unavailableReason,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import { orderRefusal } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { adminStateText, occupancyText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { operatorActor } from "../../../platform/actor.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { type CompartmentActionKind, eventText } from "../../fleet/cabinet-event/index.ts";
import { correctCompartments, updateAdminState } from "../../link/device/index.ts";
import { recoverCompartments, reportMalfunction } from "../../operations/malfunction/index.ts";
import { clearOrder, findLiveOrders } from "../../orders/order/index.ts";
import * as repo from "./compartment.sql.ts";

export async function listCompartments(ctx: Ctx, cabinetId: number): Promise<Compartment[]> {
  const [cabinet, rows] = await Promise.all([
    repo.findServicedCabinet(ctx.db, ctx.session, cabinetId),
    repo.findCompartments(ctx.db, ctx.session, cabinetId),
  ]);
  if (!cabinet) refuse("NOT_FOUND", { what: "设备" });
  const refusal = orderRefusal(cabinet);
  return rows.map(({ order, ...row }) => ({
    ...row,
    order: order && { ...order, recipientPhone: maskPhone(order.recipientPhone) },
    unavailableReason: unavailableReason(row, { refusal, connectivity: cabinet.connectivity }),
  }));
}

export async function listEvents(
  ctx: Ctx,
  place: { id: number; no: number },
): Promise<CompartmentEvent[]> {
  const rows = await repo.findCompartmentEvents(ctx.db, ctx.session, place.id, place.no);
  if (!rows) refuse("NOT_FOUND", { what: "格口" });
  return rows.map((row) => ({ ...row, text: eventText(row) }));
}

const actions: Record<AdminAction, CompartmentActionKind> = {
  enable: "COMPARTMENT_ENABLED",
  disable: "COMPARTMENT_DISABLED",
  markFault: "COMPARTMENT_FAULT",
};

/** Marking a fault opens a malfunction; enabling resolves it. */
export async function changeAdminState(
  ctx: Ctx,
  action: AdminAction,
  place: { id: number; no: number },
  reason: string,
): Promise<null> {
  await applyAdminState(ctx, action, await lock(ctx, place), reason);
  return null;
}

/**
 * Locks the compartment of a malfunction. The returned function enables it, unless it is enabled;
 * the audit entry of the call stays the malfunction's.
 */
export async function lockRepaired(
  ctx: Ctx,
  place: { id: number; no: number },
): Promise<(reason: string) => Promise<void>> {
  const compartment = await lock(ctx, place);
  return async (reason) => {
    if (!mayChangeAdminState("enable", compartment.adminState)) return;
    await applyAdminState({ ...ctx, audit() {} }, "enable", compartment, reason);
  };
}

async function applyAdminState(
  ctx: Ctx,
  action: AdminAction,
  compartment: repo.LockedCompartment,
  reason: string,
): Promise<void> {
  const { adminState, adminReason, no } = compartment;
  const { to, text } = adminActions[action];
  if (!mayChangeAdminState(action, adminState)) {
    const what = `${no} 号格口`;
    refuse("STATE_NOT_ALLOWED", { what, state: adminStateText[adminState], action: text });
  }
  await updateAdminState(ctx.db, compartment, to, action === "enable" ? null : reason);
  const who = ctx.session.signature;
  if (action === "markFault")
    await reportMalfunction(ctx.db, compartment, no, "OTHER", reason, who);
  if (adminState === "FAULT" && action === "enable") {
    await recoverCompartments(ctx.db, compartment, [no], "OTHER", `${who}启用了格口：${reason}`);
  }
  await record(ctx, compartment, actions[action], reason, {
    before: { adminState, adminReason },
    after: { adminState: to },
  });
}

export async function clearCompartment(
  ctx: Ctx,
  place: { id: number; no: number },
  reason: string,
): Promise<null> {
  const cabinet = await repo.lockCabinet(ctx.db, ctx.session, place.id);
  const compartment = cabinet ? await lock(ctx, place) : refuse("NOT_FOUND", { what: "格口" });
  const { tenantId, occupancy, item, no } = compartment;
  if (occupancy === "FREE") {
    const what = `${no} 号格口`;
    refuse("STATE_NOT_ALLOWED", { what, state: occupancyText.FREE, action: "清柜" });
  }
  if (!mayClear(compartment)) refuse("COMPARTMENT_OCCUPIED", { no });
  const [held] = await findLiveOrders(ctx.db, compartment, [no]);
  const orderId = held?.orderId;
  if (orderId) {
    await clearOrder(ctx.db, operatorActor(ctx.session), { tenantId, orderId, reason });
  }
  await correctCompartments(ctx.db, compartment, [{ no, occupancy: "FREE", item }]);
  await record(ctx, compartment, "COMPARTMENT_CLEARED", reason, {
    before: { occupancy, ...(orderId && { orderId }) },
    after: { occupancy: "FREE" },
  });
  return null;
}

async function lock(ctx: Ctx, { id, no }: { id: number; no: number }) {
  const [compartment] = await repo.lockCompartments(ctx.db, ctx.session, id, [no]);
  return compartment ?? refuse("NOT_FOUND", { what: "格口" });
}

/**
 * Records the action in the compartment's history and the audit log, and publishes it to consoles.
 */
async function record(
  ctx: Ctx,
  compartment: repo.LockedCompartment,
  kind: CompartmentActionKind,
  reason: string,
  { before, after }: { before: object; after: object },
): Promise<void> {
  const { tenantId, cabinetId, sn, no } = compartment;
  const step = { actorName: ctx.session.signature, reason };
  await repo.insertActions(ctx.db, compartment, kind, [{ no, payload: step }]);
  ctx.audit({ tenantId, target: `设备 ${sn} · ${no} 号格口`, reason, before, after });
  await pushLive(ctx.db, { tenantId, topic: "cabinet", cabinetId });
}
