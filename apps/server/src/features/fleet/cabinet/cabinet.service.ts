// Operator actions on cabinets: pause, resume, assign to a store, set parameters.
import type {
  CabinetConfig,
  CabinetDetail,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  configProblem,
  type Lifecycle,
  lifecycleText,
} from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import {
  mergeDesiredConfig,
  notifyConfig,
  raiseDriftedVersion,
  updateLifecycle,
  updateStore,
} from "../../link/device/index.ts";
import { findCabinetPricing } from "../../money/pricing/index.ts";
import { shareLockStore } from "../../organization/store/index.ts";
import * as repo from "./cabinet.sql.ts";
import { findCabinetDetail } from "./cabinet-list.sql.ts";

export async function getCabinet(ctx: Ctx, id: number): Promise<CabinetDetail> {
  const found = await findCabinetDetail(ctx.db, ctx.session, id);
  if (!found) refuse("NOT_FOUND", { what: "设备" });
  const { tenantId, storeId } = found;
  const pricing = await findCabinetPricing(ctx.db, { tenantId, storeId, cabinetId: id });
  return { ...found, pricing };
}

const changes = {
  pause: { from: ["ACTIVE"], to: "PAUSED", action: "暂停运营" },
  resume: { from: ["PAUSED"], to: "ACTIVE", action: "恢复运营" },
  retire: { from: ["INACTIVE", "ACTIVE", "PAUSED"], to: "RETIRED", action: "停用" },
} as const satisfies Record<string, { from: Lifecycle[]; to: Lifecycle; action: string }>;

export async function changeLifecycle(
  ctx: Ctx,
  change: keyof typeof changes,
  id: number,
  reason: string,
): Promise<null> {
  const { from, to, action } = changes[change];
  const [cabinet] = await lockAll(ctx, [id]);
  const { tenantId, sn, lifecycle } = cabinet;
  if (!(from as readonly Lifecycle[]).includes(lifecycle)) {
    refuse("STATE_NOT_ALLOWED", { what: `设备 ${sn} `, state: lifecycleText[lifecycle], action });
  }
  if (change === "retire") {
    const nos = await repo.findHeldNos(ctx.db, cabinet);
    if (nos.length > 0) refuse("CABINET_HAS_GOODS", { nos: listOf(nos) });
  }
  await updateLifecycle(ctx.db, cabinet, to);
  ctx.audit({
    tenantId,
    target: `设备 ${sn}`,
    reason,
    before: { lifecycle },
    after: { lifecycle: to },
  });
  await pushLive(ctx.db, { tenantId, topic: "cabinet", cabinetId: id });
  return null;
}

const NOS_SHOWN = 8;

function listOf(nos: number[]): string {
  const shown = nos.slice(0, NOS_SHOWN).join("、");
  return nos.length > NOS_SHOWN ? `${shown} 等 ${nos.length} 个` : shown;
}

/** Moves cabinets to a store of their own tenant only; null removes them from their store. */
export async function assignStore(
  ctx: Ctx,
  { cabinetIds, storeId }: { cabinetIds: number[]; storeId: number | null },
): Promise<{ changed: number }> {
  const cabinets = await lockAll(ctx, cabinetIds);
  const to = storeId === null ? null : await shareLockStore(ctx.db, ctx.session, storeId);
  if (storeId !== null && !to) refuse("NOT_FOUND", { what: "门店" });
  if (to && cabinets.some((cabinet) => cabinet.tenantId !== to.tenantId)) refuse("STORE_FOREIGN");
  const tenantIds = tenantsOf(cabinets);
  const changed = await updateStore(ctx.db, ctx.session, tenantIds, cabinetIds, storeId);
  auditSet(ctx, cabinets, {
    before: cabinets.map((cabinet) => ({ sn: cabinet.sn, storeId: cabinet.storeId })),
    after: { storeId, storeName: to?.name ?? null },
  });
  await pushAll(ctx, changed);
  for (const tenantId of tenantIds) await pushMoved(ctx.db, tenantId);
  return { changed: changed.length };
}

/** Connected cabinets are sent the config at once, the others at their next hello. */
export async function pushConfig(
  ctx: Ctx,
  { cabinetIds, config }: { cabinetIds: number[]; config: CabinetConfig },
): Promise<{ changed: number }> {
  if (Object.keys(config).length === 0) {
    refuse("CONFIG_EMPTY");
  }
  const cabinets = await lockAll(ctx, cabinetIds);
  for (const { sn, desiredConfig } of cabinets) {
    const problem = configProblem({ ...desiredConfig, ...config });
    if (problem) refuse("CONFIG_INVALID", { problem, sn });
  }
  const changed = await mergeDesiredConfig(ctx.db, tenantsOf(cabinets), cabinetIds, config);
  auditSet(ctx, cabinets, {
    before: cabinets.map((cabinet) => ({ sn: cabinet.sn, config: cabinet.desiredConfig })),
    after: { config },
  });
  await Promise.all(
    changed.map(({ tenantId, id }) => notifyConfig(ctx.db, { tenantId, cabinetId: id })),
  );
  await pushAll(ctx, changed);
  return { changed: changed.length };
}

/** Resends the config; raises its version if the cabinet reports other values at this version. */
export async function syncConfig(ctx: Ctx, id: number): Promise<null> {
  const [cabinet] = await lockAll(ctx, [id]);
  const { tenantId, sn, lifecycle, connectivity } = cabinet;
  if (lifecycle === "RETIRED") refuse("CABINET_RETIRED");
  if (connectivity !== "ONLINE") refuse("CONFIG_WAITS_FOR_CABINET");
  ctx.audit({ tenantId, target: `设备 ${sn}` });
  await raiseDriftedVersion(ctx.db, cabinet);
  await notifyConfig(ctx.db, { tenantId, cabinetId: id });
  return null;
}

type NonEmpty<Item> = [Item, ...Item[]];

/** Locks all of them or refuses: a foreign cabinet is answered exactly like a missing one. */
export async function lockAll(ctx: Ctx, ids: number[]): Promise<NonEmpty<repo.CabinetRow>> {
  const cabinets = await repo.lockVisibleCabinets(ctx.db, ctx.session, ids);
  const [first, ...others] = cabinets;
  if (!first || cabinets.length < ids.length) refuse("NOT_FOUND", { what: "设备" });
  return [first, ...others];
}

function tenantsOf(cabinets: repo.CabinetRow[]): number[] {
  return [...new Set(cabinets.map((cabinet) => cabinet.tenantId))];
}

/** Logged for the tenant of the cabinets; for several tenants, for the actor's own. */
function auditSet(
  ctx: Ctx,
  cabinets: repo.CabinetRow[],
  { before, after }: { before: unknown; after: unknown },
): void {
  const tenantIds = tenantsOf(cabinets);
  const [tenantId] = tenantIds;
  ctx.audit({
    ...(tenantIds.length === 1 && { tenantId }),
    target: `设备 ${cabinets.map((cabinet) => cabinet.sn).join("、")}`,
    before,
    after,
  });
}

/** Names no cabinet, because accounts of the store it left may no longer see its events. */
export function pushMoved(db: Db, tenantId: number): Promise<void> {
  return pushLive(db, { tenantId, topic: "cabinet", cabinetId: null });
}

async function pushAll(ctx: Ctx, cabinets: { tenantId: number; id: number }[]): Promise<void> {
  await Promise.all(
    cabinets.map(({ tenantId, id }) =>
      pushLive(ctx.db, { tenantId, topic: "cabinet", cabinetId: id }),
    ),
  );
}
