// Price of a stay, line by line.
import { moneyText } from "../../kit/money.rules.ts";
import { minutesText, type PricingRule, priceOf } from "./pricing.rules.ts";

export const PRICE_LINE_KINDS = [
  "FREE",
  "PER_USE",
  "TIME",
  "CAP",
  "OTHER",
  "PRICE",
  "COVERED",
  "WAIVED",
  "DUE",
  "PAID_PRINCIPAL",
  "PAID_BONUS",
  "REFUNDED",
  "OWED",
] as const;
export type PriceLineKind = (typeof PRICE_LINE_KINDS)[number];
export const priceLineText: Record<PriceLineKind, string> = {
  FREE: "免费时长",
  PER_USE: "起步价",
  TIME: "计时费",
  CAP: "封顶",
  OTHER: "其他",
  PRICE: "存放费用",
  COVERED: "套餐抵扣",
  WAIVED: "减免",
  DUE: "应付",
  PAID_PRINCIPAL: "已付（本金）",
  PAID_BONUS: "已付（赠金）",
  REFUNDED: "已退",
  OWED: "待付",
};

export interface PriceLine {
  kind: PriceLineKind;
  /** How the amount is calculated; empty where the name is enough. */
  note: string;
  /** Signed: deductions are negative. */
  fen: number;
}

/** Sum lines, displayed in bold: each is the total of the lines above it. */
export const SUM_LINES: readonly PriceLineKind[] = ["PRICE", "DUE", "OWED"];

/**
 * Lines above PRICE, which sum to it. OTHER is the part of the price that the rule does not
 * explain, such as that of a cancelled order.
 */
export function stayLines(
  rule: PricingRule,
  minutes: number | null,
  priceFen: number,
): PriceLine[] {
  if (minutes === null) return [];
  const whole = Math.ceil(minutes);
  const lines: PriceLine[] = [];
  if (rule.freeMinutes > 0) {
    const note = `前 ${minutesText(rule.freeMinutes)}免费，计时 ${minutesText(whole)}`;
    lines.push({ kind: "FREE", note, fen: 0 });
  }
  if (whole > rule.freeMinutes) {
    const charged = whole - rule.freeMinutes;
    const steps = Math.ceil(charged / rule.stepMinutes);
    if (rule.perUseFen > 0) lines.push({ kind: "PER_USE", note: "", fen: rule.perUseFen });
    if (rule.stepFen > 0) {
      const each = `每 ${minutesText(rule.stepMinutes)} ${moneyText(rule.stepFen)}`;
      const note = `计费 ${minutesText(charged)}：${steps} × ${moneyText(rule.stepFen)}（${each}）`;
      lines.push({ kind: "TIME", note, fen: steps * rule.stepFen });
    }
    const cut = priceOf(rule, minutes) - rule.perUseFen - steps * rule.stepFen;
    if (cut !== 0) {
      lines.push({ kind: "CAP", note: `单次最高 ${moneyText(rule.capFen ?? 0)}`, fen: cut });
    }
  }
  const other = priceFen - priceOf(rule, minutes);
  if (other !== 0) lines.push({ kind: "OTHER", note: "与规则不同，按订单记录", fen: other });
  return lines;
}
