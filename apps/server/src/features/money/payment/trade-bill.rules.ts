// Parses WeChat Pay's trade bill: the payments and refunds of a day.
import { fenOfYuan } from "@cabinet/contract/kit/money.rules.ts";

export interface BillTrade {
  outTradeNo: string;
  transactionNo: string;
  fen: number;
  attach: string;
}

export interface BillRefund {
  outTradeNo: string;
  outRefundNo: string;
  refundNo: string;
  fen: number;
  attach: string;
  /** False while the listed refund is under way or if it failed. */
  isPaidOut: boolean;
}

export interface TradeBill {
  trades: BillTrade[];
  refunds: BillRefund[];
}

const names = {
  transactionNo: "微信订单号",
  outTradeNo: "商户订单号",
  state: "交易状态",
  refundNo: "微信退款单号",
  outRefundNo: "商户退款单号",
  orderFen: "订单金额",
  refundFen: "申请退款金额",
  refundState: "退款状态",
  attach: "商户数据包",
} as const;
type Name = keyof typeof names;

/** Throws on an unknown format: no comparison is better than a misread bill. */
export function parseTradeBill(text: string): TradeBill {
  const [head = "", ...lines] = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const titles = head.split(",").map((title) => title.trim());
  const columns = Object.entries(names).map(([name, title]) => {
    const column = titles.indexOf(title);
    if (column < 0) throw new Error(`微信支付账单缺少“${title}”一列`);
    return [name, column] as const;
  });
  const bill: TradeBill = { trades: [], refunds: [] };
  for (const line of lines) {
    // The totals at the end have a header line of their own.
    if (!line.startsWith("`")) break;
    const cells = line.slice(1).split(",`");
    const of = Object.fromEntries(
      columns.map(([name, column]) => [name, cells[column]?.trim() ?? ""]),
    ) as Record<Name, string>;
    const { outTradeNo, transactionNo, outRefundNo, refundNo, attach } = of;
    if (of.state === "SUCCESS") {
      bill.trades.push({ outTradeNo, transactionNo, fen: fenOf(of.orderFen), attach });
    } else if (of.state === "REFUND") {
      const isPaidOut = of.refundState === "SUCCESS";
      const fen = fenOf(of.refundFen);
      bill.refunds.push({ outTradeNo, outRefundNo, refundNo, fen, attach, isPaidOut });
    }
  }
  return bill;
}

function fenOf(yuan: string): number {
  const fen = fenOfYuan(yuan);
  if (fen === null) throw new Error(`微信支付账单中的金额“${yuan}”不能识别`);
  return fen;
}
