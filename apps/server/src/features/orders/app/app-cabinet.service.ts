// A cabinet for app users: location, free compartments, pricing rule and whether it takes orders.

import { orderRefusal } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { nearestRule, pricingText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { AppCabinet } from "@cabinet/contract/orders/app/app-order.contract.ts";
import type { PublicCtx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { findCabinetPricing } from "../../money/pricing/index.ts";
import { type AppCabinetRow, countBySize, findCabinetBySn } from "./app-cabinet.sql.ts";

export function getAppCabinet({ database }: PublicCtx, sn: string): Promise<AppCabinet> {
  return database.read("platform", async (db) => {
    const row = await findCabinetBySn(db, sn);
    if (!row) refuse("NOT_FOUND", { what: "设备" });
    const [sizes, rules] = await Promise.all([countBySize(db, row), findCabinetPricing(db, row)]);
    const { rule } = nearestRule({
      CABINET: rules.cabinet,
      STORE: rules.store,
      TENANT: rules.tenant,
    });
    const { name, tenantId, tenantName, side, openingHours, servicePhone, isOnline } = row;
    return {
      sn: row.sn,
      name,
      tenantId,
      tenantName,
      side,
      place: [row.storeName, row.address, row.place].filter(Boolean).join(" "),
      openingHours,
      servicePhone,
      isOnline,
      refusal: refusalText(row, sizes),
      sizes,
      pricing: pricingText(rule),
    };
  });
}

/** Reason for not taking orders, worded for people at the cabinet, who can only go elsewhere. */
function refusalText(row: AppCabinetRow, sizes: { free: number }[]): string | null {
  if (!row.isTenantActive || orderRefusal(row) !== null) return "本柜暂停存件，请使用其他柜机";
  if (!row.isOnline) return "本柜暂时离线，请稍后再试或使用其他柜机";
  if (sizes.every(({ free }) => free === 0)) return "本柜已满，请稍后再试或使用其他柜机";
  return null;
}
