// Packages of the demo's companies: top-up bonuses, cards by use and by month.
import type { CardKind, PackageTerms } from "@cabinet/contract/money/package/package.rules.ts";
import { DAY } from "../fleet/cabinet.ts";
import type { DemoActor } from "../organization/account.ts";

export interface DemoPackage extends PackageTerms {
  tenantId: number;
  name: string;
  remark: string;
  isOnSale: boolean;
  /** Deleted packages may still have cards. */
  isDeleted: boolean;
  /** Assigned by the database. */
  id: number;
}

export type DemoCardPackage = DemoPackage & { kind: CardKind; validDays: number };

const bonus = (priceFen: number, bonusFen: number) => ({
  kind: "BONUS" as const,
  ...{ priceFen, bonusFen, uses: null, validDays: null, coverLimitFen: null },
});
const card = (
  uses: number | null,
  terms: { priceFen: number; validDays: number; coverLimitFen: number | null },
) => ({
  kind: uses === null ? ("PERIOD" as const) : ("USES" as const),
  bonusFen: 0,
  uses,
  ...terms,
});
const both = ["SINGLE", "DOUBLE"] as const;

const sold = [
  { name: "充 50 送 5", ...bonus(5_000, 500), sides: both, remark: "新老用户均可购买" },
  { name: "充 100 送 15", ...bonus(10_000, 1_500), sides: both, remark: "" },
  {
    name: "十次卡",
    ...card(10, { priceFen: 3_800, validDays: 60, coverLimitFen: 600 }),
    sides: both,
    remark: "单次最多抵扣 6 元，超出部分由钱包支付",
  },
  {
    name: "单面柜月卡",
    ...card(null, { priceFen: 5_800, validDays: 30, coverLimitFen: 500 }),
    sides: ["SINGLE"] as const,
    remark: "适合每天取件的用户",
  },
  {
    name: "畅存月卡",
    ...card(null, { priceFen: 8_800, validDays: 30, coverLimitFen: null }),
    sides: both,
    remark: "单双面柜通用，不限金额",
  },
];
const past = [
  {
    name: "开业充 200 送 60",
    ...bonus(20_000, 6_000),
    sides: both,
    remark: "开业活动，已结束",
    isDeleted: false,
  },
  {
    name: "开业五次卡",
    ...card(5, { priceFen: 990, validDays: 90, coverLimitFen: 500 }),
    sides: both,
    remark: "开业活动",
    isDeleted: true,
  },
];

export function inventPackages(tenantId: number): DemoPackage[] {
  return [
    ...past.map((terms) => ({ ...terms, tenantId, isOnSale: false, id: 0 })),
    ...sold.map((terms) => ({ ...terms, tenantId, isOnSale: true, isDeleted: false, id: 0 })),
  ];
}

export function isCardPackage(sold: DemoPackage): sold is DemoCardPackage {
  return sold.kind !== "BONUS";
}

export function packageRow(sold: DemoPackage, keeper: DemoActor, today: number) {
  const madeAt = new Date(today - 92 * DAY).toISOString();
  return {
    tenant_id: sold.tenantId,
    name: sold.name,
    kind: sold.kind,
    sides: sold.sides,
    price_fen: sold.priceFen,
    bonus_fen: sold.bonusFen,
    uses: sold.uses,
    valid_days: sold.validDays,
    cover_limit_fen: sold.coverLimitFen,
    is_on_sale: sold.isOnSale,
    remark: sold.remark,
    created_at: madeAt,
    edited_at: madeAt,
    edited_by: keeper.signature,
    deleted_at: sold.isDeleted ? new Date(today - 40 * DAY).toISOString() : null,
  };
}
