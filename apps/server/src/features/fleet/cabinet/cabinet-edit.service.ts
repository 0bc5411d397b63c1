// Saves the edit page of a cabinet with optimistic locking on the versions it was loaded with.
import type {
  CabinetConfig,
  CabinetConfigChange,
  CabinetEdit,
  cabinetContract,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { configProblem } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import { openingHoursProblem } from "@cabinet/contract/kit/opening-hours.rules.ts";
import { coordinatesProblem } from "@cabinet/contract/kit/place.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { invalid, refuse, refuseOutdated, requireUnedited } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { notifyConfig, updateCabinet } from "../../link/device/index.ts";
import { findCabinetPricing, setCabinetPricing } from "../../money/pricing/index.ts";
import { shareLockStore } from "../../organization/store/index.ts";
import { lockAll, pushMoved } from "./cabinet.service.ts";
import { findEditedRow } from "./cabinet.sql.ts";

export async function editCabinet(
  ctx: Ctx,
  id: number,
  edit: CabinetEdit,
): Promise<Reply<typeof cabinetContract.update>> {
  const { db, session } = ctx;
  const [cabinet] = await lockAll(ctx, [id]);
  const { tenantId, sn, storeId, desiredConfig } = cabinet;
  const config = changedConfig(desiredConfig, edit.config);
  const problem =
    coordinatesProblem(edit) ?? openingHoursProblem(edit.openingHours) ?? configProblem(config);
  if (problem) invalid(problem);
  const before = await findEditedRow(db, cabinet);
  requireUnedited(before, edit.editVersion);
  if (edit.desiredConfigVersion !== before.desiredConfigVersion) {
    refuseOutdated("设备参数");
  }
  if (edit.storeId !== null && edit.storeId !== storeId) {
    const to = await shareLockStore(db, session, edit.storeId);
    if (!to) refuse("NOT_FOUND", { what: "门店" });
    if (to.tenantId !== tenantId) refuse("STORE_FOREIGN");
  }
  const place = { tenantId, storeId, cabinetId: id };
  const pricing = (await findCabinetPricing(db, place)).cabinet;
  const { isConnected } = await updateCabinet(db, session, cabinet, { ...edit, config });
  await setCabinetPricing(db, session, place, edit.pricing);
  const after = await findEditedRow(db, cabinet);
  ctx.audit({
    tenantId,
    target: `设备 ${sn}`,
    before: { ...before, config: desiredConfig, pricing },
    after: { ...after, config, pricing: edit.pricing },
  });
  const isConfigChanged = after.desiredConfigVersion !== before.desiredConfigVersion;
  if (isConfigChanged) await notifyConfig(db, { tenantId, cabinetId: id });
  await pushLive(db, { tenantId, topic: "cabinet", cabinetId: id });
  if (edit.storeId !== storeId) await pushMoved(db, tenantId);
  return { isConfigChanged, isConnected };
}

/** The config after a change; null values remove their settings. */
function changedConfig(before: CabinetConfig, change: CabinetConfigChange): CabinetConfig {
  const entries = Object.entries({ ...before, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}
