// HTTP handlers for simulated cabinets.
import { simulatedCabinetContract } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { panelPath } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { mount } from "../../../platform/http/mount.ts";
import { changeState, readState } from "./simulated-cabinet.client.ts";
import { findCabinetNumber } from "./simulated-cabinet.sql.ts";

/** `socket`: the panel of the simulator that may run on this machine. */
export const simulatedCabinetRoutes = (socket: string) =>
  mount(simulatedCabinetContract, {
    get: async (ctx, { params }) => {
      const { sn } = await getCabinetOrRefuse(ctx, params.id);
      return readState(socket, panelPath(sn));
    },
    change: (ctx, { params, body }) => change(ctx, socket, { cabinetId: params.id }, body),
    changeCompartment: (ctx, { params, body }) =>
      change(ctx, socket, { cabinetId: params.id, no: params.no }, body),
  });

async function getCabinetOrRefuse(ctx: Ctx, cabinetId: number) {
  const cabinet = await findCabinetNumber(ctx.db, ctx.session, cabinetId);
  return cabinet ?? refuse("NOT_FOUND", { what: "设备" });
}

/** Sets states and toggles none, so that a repeated call has the same effect. */
async function change(
  ctx: Ctx,
  socket: string,
  { cabinetId, no }: { cabinetId: number; no?: number },
  wanted: object,
): Promise<null> {
  const { tenantId, sn } = await getCabinetOrRefuse(ctx, cabinetId);
  await changeState(socket, panelPath(sn, no), wanted);
  const target = `模拟柜机 ${sn}${no === undefined ? "" : ` 的 ${no} 号格口`}`;
  ctx.audit({ tenantId, target, after: wanted });
  return null;
}
