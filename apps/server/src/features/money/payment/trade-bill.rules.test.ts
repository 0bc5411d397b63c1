// Parser of WeChat's trade bill: exact format or refused.
import { expect, it } from "vitest";
import { billLine, billOf } from "../../../../../../tests/support/wechat-pay.ts";
import { parseTradeBill } from "./trade-bill.rules.ts";

const trade = {
  outTradeNo: "CZ1",
  transactionNo: "4200001",
  state: "SUCCESS",
  fen: 123_456,
  attach: "CABINET-2",
} as const;
const refund = {
  ...trade,
  state: "REFUND",
  fen: 0,
  refund: { outRefundNo: "TK1", refundNo: "5030001", fen: 5 },
} as const;

it("trade bill: yields payments and refunds, without the totals at the end", () => {
  expect(parseTradeBill(billOf([billLine(trade), billLine(refund)]))).toEqual({
    trades: [{ outTradeNo: "CZ1", transactionNo: "4200001", fen: 123_456, attach: "CABINET-2" }],
    refunds: [
      {
        ...{ outTradeNo: "CZ1", outRefundNo: "TK1", refundNo: "5030001", fen: 5 },
        ...{ attach: "CABINET-2", isPaidOut: true },
      },
    ],
  });
  expect(parseTradeBill(billOf([]))).toEqual({ trades: [], refunds: [] });
});

it("trade bill: is refused when a column is missing or an amount is invalid", () => {
  expect(() => parseTradeBill("交易时间,金额\r\n`1,`2")).toThrow(
    "微信支付账单缺少“微信订单号”一列",
  );
  const broken = billOf([billLine(trade).replaceAll("1234.56", "很多")]);
  expect(() => parseTradeBill(broken)).toThrow("微信支付账单中的金额“很多”不能识别");
});
