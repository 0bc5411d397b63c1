// A cabinet for app users: location, free compartments, pricing rule and whether it takes orders.

import {
  type CabinetRefusal,
  cabinetRefusal,
} from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { pricingText, ruleFor } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { AppCabinetRefusal } from "@cabinet/contract/orders/app/app.rules.ts";
import type { AppCabinet } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { type Size, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { PublicCtx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { findRuleInForce } from "../../money/pricing/index.ts";
import { countBySize, findCabinetBySn } from "./app-cabinet.sql.ts";

export function getAppCabinet({ database }: PublicCtx, sn: string): Promise<AppCabinet> {
  return database.read("platform", async (db) => {
    const row = await findCabinetBySn(db, sn);
    if (!row) refuse("NOT_FOUND", { what: "设备" });
    await db.narrow(row.tenantId);
    const [counts, { rule }] = await Promise.all([countBySize(db, row), findRuleInForce(db, row)]);
    const now = Date.now();
    const sizes = counts.map((count) => ({
      ...count,
      pricing: pricingText(ruleFor(rule, count.size, now)),
    }));
    const refusal = cabinetRefusal({ ...row, sizes });
    const refusalCode = refusal && plainRefusal[refusal];
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
      refusal: refusalCode && refusalTexts[refusalCode],
      refusalCode,
      sizes,
      pricing: pricingOfAll(sizes) ?? pricingText(rule),
    };
  });
}

/** The price that all sizes have now, else that of each; null without compartments. */
function pricingOfAll(sizes: AppCabinet["sizes"]): string | null {
  const [first, ...others] = Map.groupBy(sizes, ({ pricing }) => pricing);
  if (!first || others.length === 0) return first ? first[0] : null;
  const nameOf = ({ size }: { size: Size }) => `${sizeText[size]}格`;
  return [first, ...others]
    .map(([pricing, those]) => `${those.map(nameOf).join("、")}：${pricing}`)
    .join("。");
}

/** Worded for people at the cabinet, who can only go elsewhere. */
const refusalTexts: Record<AppCabinetRefusal, string> = {
  SUSPENDED: "本柜暂停存件，请使用其他柜机",
  OFFLINE: "本柜暂时离线，请稍后再试或使用其他柜机",
  FULL: "本柜已满，请稍后再试或使用其他柜机",
};

/** People need not know whose contract with whom has ended. */
const plainRefusal: Record<CabinetRefusal, AppCabinetRefusal> = {
  TENANT_INACTIVE: "SUSPENDED",
  RETIRED: "SUSPENDED",
  INACTIVE: "SUSPENDED",
  PAUSED: "SUSPENDED",
  SERVICE_STOPPED: "SUSPENDED",
  SERVICE_EXPIRED: "SUSPENDED",
  SERVICE_PENDING: "SUSPENDED",
  OFFLINE: "OFFLINE",
  FULL: "FULL",
};
