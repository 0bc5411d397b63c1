// Tests the lines of a month's statement and its days.
import { expect, it } from "vitest";
import { daysOfMonth, type LineSum, receiptsOf, sumOfLines } from "./statement.rules.ts";

it.each([
  ["2026-02", "2026-02-28"],
  ["2028-02", "2028-02-29"],
  ["2026-12", "2026-12-31"],
])("days of %s: to %s", (month, to) => {
  expect(daysOfMonth(month)).toEqual({ from: `${month}-01`, to });
});

const line = (name: LineSum["line"], principalFen: number, bonusFen = 0): LineSum => ({
  ...{ line: name, count: 1 },
  ...{ principalFen, bonusFen },
});

it("receipts: refunds come off their channel, and a returned refund is no receipt of a customer", () => {
  const lines = [
    line("CASH_TOP_UP", 10_000, 500),
    line("CASH_REFUND", -1_000, -50),
    line("WECHAT_TOP_UP", 5_000),
    line("WECHAT_REFUND", -700),
    line("REFUND_RETURNED", 700),
    line("ORDER_PAYMENT", -300, -40),
    line("ORDER_REFUND", 20, 10),
    line("PACKAGE_BUY", -990, -10),
    line("ADJUSTMENT", -5, 5),
  ];
  expect(receiptsOf(lines)).toEqual({
    ...{ cashFen: 9_000, wechatFen: 5_000 },
    ...{ orderFen: 310, packageFen: 1_000, incomeBonusFen: 40 },
  });
  expect(sumOfLines(lines)).toEqual({ principalFen: 12_725, bonusFen: 415 });
  expect(receiptsOf([])).toEqual({
    ...{ cashFen: 0, wechatFen: 0, orderFen: 0, packageFen: 0, incomeBonusFen: 0 },
  });
});
