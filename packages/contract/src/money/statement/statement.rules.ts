// Pure rules of the month's statement (月结单): its lines, their sums, and what was received and earned. Integer fen throughout.
import { addDays } from "../../kit/shanghai.rules.ts";
import type { FenSplit } from "../ledger/ledger.rules.ts";

/** Each journal stands in exactly one line. Signs are those of the wallets: a top-up is positive, a payment negative. */
export const STATEMENT_LINES = [
  "CASH_TOP_UP",
  "WECHAT_TOP_UP",
  "CASH_REFUND",
  "WECHAT_REFUND",
  /** A refund that WeChat did not pay out: the money is in the wallet again. */
  "REFUND_RETURNED",
  "ORDER_PAYMENT",
  "ORDER_REFUND",
  "PACKAGE_BUY",
  "ADJUSTMENT",
] as const;
export type StatementLineName = (typeof STATEMENT_LINES)[number];
export const statementLineText: Record<StatementLineName, string> = {
  CASH_TOP_UP: "线下充值",
  WECHAT_TOP_UP: "微信充值",
  CASH_REFUND: "线下充值退款",
  WECHAT_REFUND: "微信充值退款",
  REFUND_RETURNED: "退款失败退回",
  ORDER_PAYMENT: "订单支付",
  ORDER_REFUND: "订单退款",
  PACKAGE_BUY: "购买套餐",
  ADJUSTMENT: "人工调整",
};

/** Lines that a store or a side has: the others belong to the company alone. */
export const ORDER_LINES = ["ORDER_PAYMENT", "ORDER_REFUND"] as const;

export interface LineSum extends FenSplit {
  line: StatementLineName;
  count: number;
}

/** First and last day of a month: `2026-10` is 2026-10-01 to 2026-10-31. */
export function daysOfMonth(month: string): { from: string; to: string } {
  const from = `${month}-01`;
  const next = new Date(from);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return { from, to: addDays(next.toISOString().slice(0, 10), -1) };
}

export const totalFen = ({ principalFen, bonusFen }: FenSplit) => principalFen + bonusFen;

/** Sum of these lines; of all if none is named. */
export function sumOfLines(
  lines: readonly LineSum[],
  ...names: readonly StatementLineName[]
): FenSplit {
  const sum = { principalFen: 0, bonusFen: 0 };
  for (const { line, principalFen, bonusFen } of lines) {
    if (names.length > 0 && !names.includes(line)) continue;
    sum.principalFen += principalFen;
    sum.bonusFen += bonusFen;
  }
  return sum;
}

/** Money that came in, by channel, and income; positive where the tenant gains. */
export function receiptsOf(lines: readonly LineSum[]) {
  const orders = sumOfLines(lines, ...ORDER_LINES);
  const packages = sumOfLines(lines, "PACKAGE_BUY");
  return {
    cashFen: sumOfLines(lines, "CASH_TOP_UP", "CASH_REFUND").principalFen,
    wechatFen: sumOfLines(lines, "WECHAT_TOP_UP", "WECHAT_REFUND", "REFUND_RETURNED").principalFen,
    orderFen: 0 - totalFen(orders),
    packageFen: 0 - totalFen(packages),
    /** Part of both incomes that was paid with bonus money. */
    incomeBonusFen: 0 - orders.bonusFen - packages.bonusFen,
  };
}
