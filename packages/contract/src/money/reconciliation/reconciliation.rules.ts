// Pure rules of the daily reconciliation: kinds of differences, their meaning and remedies.

/** Each kind compares two records of the same money and names the pair that disagrees. */
export const DIFFERENCE_KINDS = [
  "LEDGER_UNBALANCED",
  "LEDGER_CHAIN",
  "WALLET_BALANCE",
  "WALLET_HELD",
  "HOLD_STALE",
  "ORDER_PAID",
  "ORDER_REFUNDED",
  "ORDER_STATUS",
  "ORDER_COVERED",
  "ORDER_MISSING",
  "FIGURES",
  "CARD_USES",
  "CARD_PAID",
  "CARD_MISSING",
  "TOP_UP_NOT_POSTED",
  "TOP_UP_AMOUNT",
  "TOP_UP_MISSING",
  "BILL_NOT_THERE",
  "BILL_AMOUNT",
  "REFUND_NOT_HERE",
  "REFUND_NOT_THERE",
  "REFUND_AMOUNT",
  "REFUND_ABNORMAL",
  "PAID_UNKNOWN",
  "PAID_CLOSED",
  "PAID_AMOUNT",
  "PAID_TWICE",
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export const differenceKindText: Record<DifferenceKind, string> = {
  LEDGER_UNBALANCED: "流水借贷不平",
  LEDGER_CHAIN: "流水余额不连续",
  WALLET_BALANCE: "钱包余额与流水不符",
  WALLET_HELD: "冻结金额不符",
  HOLD_STALE: "冻结超过一天未结",
  ORDER_PAID: "订单已付与流水不符",
  ORDER_REFUNDED: "订单已退与流水不符",
  ORDER_STATUS: "订单支付状态不符",
  ORDER_COVERED: "订单抵扣与用卡记录不符",
  ORDER_MISSING: "流水找不到订单",
  FIGURES: "日报与流水不符",
  CARD_USES: "次卡剩余次数不符",
  CARD_PAID: "套餐卡与购卡流水不符",
  CARD_MISSING: "购卡流水找不到套餐卡",
  TOP_UP_NOT_POSTED: "充值已付未入账",
  TOP_UP_AMOUNT: "充值与入账金额不符",
  TOP_UP_MISSING: "入账找不到充值单",
  BILL_NOT_THERE: "本地已付、微信无账",
  BILL_AMOUNT: "与微信账单金额不符",
  REFUND_NOT_HERE: "微信已退、本地无退款",
  REFUND_NOT_THERE: "本地已退、微信无账",
  REFUND_AMOUNT: "退款与微信账单不符",
  REFUND_ABNORMAL: "微信退款异常",
  PAID_UNKNOWN: "收到未知订单的付款",
  PAID_CLOSED: "充值单关闭后收到付款",
  PAID_AMOUNT: "付款金额与充值单不符",
  PAID_TWICE: "同一充值单收到两笔付款",
};

/** Remedy, in Chinese. */
export const differenceAdvice: Record<DifferenceKind, string> = {
  LEDGER_UNBALANCED:
    "账本只能追加且由数据库校验，出现不平说明数据被绕过程序修改：请立即核对备份与数据库权限。",
  LEDGER_CHAIN: "从这条流水起余额对不上上一条：请核对该用户的交易记录，差额用“调整余额”更正。",
  WALLET_BALANCE: "钱包余额被程序以外的途径改过：以交易记录为准，用“调整余额”更正。",
  WALLET_HELD: "冻结金额应等于未结的冻结之和：请核对该用户正在开门的订单。",
  HOLD_STALE:
    "开门结果一直未知，用户的钱仍被冻结：请在订单详情中确认“箱门打开过”或“箱门没有打开”。",
  ORDER_PAID: "请核对订单详情的支付记录与交易记录，差额用退款或调整余额更正。",
  ORDER_REFUNDED: "请核对订单详情的退款记录与交易记录。",
  ORDER_STATUS: "订单显示的支付状态与它的金额对不上：请核对订单详情的支付记录。",
  ORDER_COVERED:
    "订单记录的套餐抵扣应等于这笔订单的用卡记录：请核对订单详情与该用户的套餐卡，差额用退款或调整余额更正。",
  ORDER_MISSING: "流水指向的订单不存在：请核对数据库是否被人工删改。",
  FIGURES: "数据概览的当日金额与流水不同：以交易记录为准，请联系技术人员重算日报。",
  CARD_USES:
    "总次数减去用卡记录应等于剩余次数：次数被程序以外的途径改过，请核对该卡的使用记录，与用户协商后补偿或更正。",
  CARD_PAID: "售出的卡应有一笔等于卡价的购卡流水：请核对该用户的交易记录，差额用“调整余额”更正。",
  CARD_MISSING: "已扣款而没有对应的套餐卡：请核对该用户的交易记录，用“调整余额”退回或为用户补卡。",
  TOP_UP_NOT_POSTED: "充值单已付而钱包没有入账：核实到账后用“调整余额”补记。",
  TOP_UP_AMOUNT: "请核对充值单与流水的金额，差额用“调整余额”更正。",
  TOP_UP_MISSING: "有入账流水而没有充值单：请核对来源。",
  BILL_NOT_THERE: "本地记为已付，而微信当日账单没有：请在商户平台查询该订单号。",
  BILL_AMOUNT: "请以微信账单为准，差额用“调整余额”更正或退款。",
  REFUND_NOT_HERE: "可能在商户平台直接退过款：请核对后用“调整余额”扣回。",
  REFUND_NOT_THERE: "本地记为已退，而微信当日账单没有：请在商户平台查询退款单号。",
  REFUND_AMOUNT: "请以微信账单为准，核对退款金额。",
  REFUND_ABNORMAL: "用户的卡可能已注销：请登录微信支付商户平台处理异常退款。",
  PAID_UNKNOWN:
    "微信告知收到一笔付款，但没有对应的充值单：请在商户平台核对，原路退回或人工充值给用户。",
  PAID_CLOSED: "充值单关闭后用户仍付了款：可“补记入账”给用户，或在商户平台原路退回。",
  PAID_AMOUNT: "付款金额与充值单不同，没有自动入账：请核对后人工充值或退回。",
  PAID_TWICE: "同一充值单对应两个微信支付单号，第二笔没有入账：请在商户平台原路退回。",
};

/** Area of the comparison that a kind belongs to; the list filters by it. */
export const DIFFERENCE_AREAS = ["LEDGER", "WALLET", "ORDER", "CARD", "TOP_UP", "WECHAT"] as const;
export type DifferenceArea = (typeof DIFFERENCE_AREAS)[number];
export const differenceAreaText: Record<DifferenceArea, string> = {
  LEDGER: "账本",
  WALLET: "钱包",
  ORDER: "订单",
  CARD: "套餐卡",
  TOP_UP: "充值",
  WECHAT: "微信账单",
};

export function areaOf(kind: DifferenceKind): DifferenceArea {
  if (kind.startsWith("LEDGER")) return "LEDGER";
  if (kind.startsWith("WALLET") || kind === "HOLD_STALE") return "WALLET";
  if (kind.startsWith("ORDER") || kind === "FIGURES") return "ORDER";
  if (kind.startsWith("CARD")) return "CARD";
  return kind.startsWith("TOP_UP") ? "TOP_UP" : "WECHAT";
}

/** `KNOWN`: resolved with a reason, then found again with the same amounts. */
export const DIFFERENCE_STATES = ["OPEN", "KNOWN", "RESOLVED"] as const;
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];
export const differenceStateText: Record<DifferenceState, string> = {
  OPEN: "待处理",
  KNOWN: "已知差异",
  RESOLVED: "已处理",
};

/** A payment received for a closed top-up can still be credited to its user. */
export function mayCredit(kind: DifferenceKind): boolean {
  return kind === "PAID_CLOSED";
}

export const RUN_STATES = ["QUEUED", "RUNNING", "DONE", "FAILED"] as const;
export type RunState = (typeof RUN_STATES)[number];
export const runStateText: Record<RunState, string> = {
  QUEUED: "排队中",
  RUNNING: "对账中",
  DONE: "已完成",
  FAILED: "未完成",
};

/** Result text of a finished run; differences of other days and of payments may be open besides. */
export function runResultText({ found, known }: { found: number; known: number }): string {
  const parts = [
    ...(found > 0 ? [`发现 ${found} 项差异`] : []),
    ...(known > 0 ? [`已知差异 ${known} 项`] : []),
  ];
  return parts.join("，") || "本次未发现差异";
}

/** State of the payment bill in a run. */
export const BILL_STATES = ["NONE", "WAITING", "COMPARED", "FAILED"] as const;
export type BillState = (typeof BILL_STATES)[number];
export const billStateText: Record<BillState, string> = {
  NONE: "微信支付未配置或未验证",
  WAITING: "微信账单未出",
  COMPARED: "已核对微信账单",
  FAILED: "微信账单未取到",
};

/** Days of orders that each run compares with the ledger. */
export const ORDER_LOOKBACK_DAYS = 31;
