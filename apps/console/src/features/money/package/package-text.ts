// Display texts of a package: content, sides, uses left of a card.
import type { Package, PackageCard } from "@cabinet/contract/money/package/package.contract.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { formatMoney } from "../../../kit/format.ts";

/** `充 ¥50.00 送 ¥5.00`, `10 次，60 天内有效，每次最多抵 ¥6.00` */
export function worthText(sold: Package): string {
  const { kind, priceFen, bonusFen, uses, validDays, coverLimitFen } = sold;
  if (kind === "BONUS") return `充 ${formatMoney(priceFen)} 送 ${formatMoney(bonusFen)}`;
  const limit = coverLimitFen === null ? "" : `，每次最多抵 ${formatMoney(coverLimitFen)}`;
  const often = uses === null ? "不限次数" : `${uses} 次`;
  return `${often}，${validDays} 天内有效${limit}`;
}

/** `单面、双面` */
export function sidesText({ sides }: Pick<Package, "sides">): string {
  return sides.map((side) => sideText[side]).join("、");
}

/** `剩 7 / 10 次` */
export function usesText({ uses, usesLeft }: Pick<PackageCard, "uses" | "usesLeft">): string {
  return uses === null ? "不限次数" : `${usesLeft} / ${uses} 次`;
}

/** `张三 138****5678` */
export function buyerText({ userName, phone }: PackageCard): string {
  return [userName, phone].filter(Boolean).join(" ");
}
