// Explains an order's price line by line, from its free time to the amount still owed.
import type { PricingRule } from "../../money/pricing/pricing.rules.ts";
import {
  type PriceLine,
  type PriceLineKind,
  stayLines,
} from "../../money/pricing/stay-lines.rules.ts";
import { type OrderMoney, owedFen, refundedFen } from "./order.rules.ts";

/**
 * Lines of an order. `minutes`: length of the stay, null when nothing was ever deposited.
 * FREE…OTHER sum to PRICE, PRICE…WAIVED to DUE; OWED is DUE less the payments.
 */
export function explainPrice(
  rule: PricingRule,
  minutes: number | null,
  money: OrderMoney,
  cardName?: string,
): PriceLine[] {
  const { priceFen, coveredFen, waivedFen, paidPrincipalFen, paidBonusFen } = money;
  const dueFen = Math.max(0, priceFen - coveredFen - waivedFen);
  const lines: PriceLine[] = [
    ...stayLines(rule, minutes, priceFen),
    { kind: "PRICE", note: "", fen: priceFen },
  ];
  const add = (kind: PriceLineKind, fen: number, note = "") => {
    if (fen !== 0) lines.push({ kind, note, fen });
  };
  add("COVERED", -coveredFen, cardName);
  add("WAIVED", -waivedFen);
  if (dueFen !== priceFen) lines.push({ kind: "DUE", note: "", fen: dueFen });
  add("PAID_PRINCIPAL", -paidPrincipalFen);
  add("PAID_BONUS", -paidBonusFen);
  add("REFUNDED", refundedFen(money));
  add("OWED", owedFen(money));
  return lines;
}
