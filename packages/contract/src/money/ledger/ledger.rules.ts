// Pure rules of the ledger: journal kinds, their accounts, how a payment is split. Integer fen
// throughout.

export const JOURNAL_KINDS = [
  "RECHARGE",
  "RECHARGE_REFUND",
  "PAYMENT",
  "PAYMENT_REFUND",
  "PACKAGE_BUY",
  "ADMIN_ADJUST",
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];
export const journalKindText: Record<JournalKind, string> = {
  RECHARGE: "充值",
  RECHARGE_REFUND: "充值退款",
  PAYMENT: "订单支付",
  PAYMENT_REFUND: "订单退款",
  PACKAGE_BUY: "购买套餐",
  ADMIN_ADJUST: "人工调整",
};

/**
 * Ledger accounts. Legs are negative for money that leaves an account; each journal sums to zero.
 */
export const LEDGER_ACCOUNTS = [
  "WALLET_PRINCIPAL",
  "WALLET_BONUS",
  /** Accounts outside the system: WeChat Pay, and cash taken by the operator. */
  "WECHAT",
  "CASH",
  "ORDER_INCOME",
  "PACKAGE_INCOME",
  /** Source of bonus money. */
  "GIFT",
  "ADJUSTMENT",
] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];
export const ledgerAccountText: Record<LedgerAccount, string> = {
  WALLET_PRINCIPAL: "用户本金",
  WALLET_BONUS: "用户赠金",
  WECHAT: "微信支付",
  CASH: "线下收款",
  ORDER_INCOME: "订单收入",
  PACKAGE_INCOME: "套餐收入",
  GIFT: "营销赠送",
  ADJUSTMENT: "人工调整",
};

export interface FenSplit {
  principalFen: number;
  bonusFen: number;
}

/**
 * Splits a payment of `fen` over the available balance: principal first, so that nobody can spend
 * the bonus and then get the principal refunded. Null when the balance is too small.
 */
export function splitPayment(fen: number, available: FenSplit): FenSplit | null {
  if (fen > available.principalFen + available.bonusFen) return null;
  const principalFen = Math.min(fen, available.principalFen);
  return { principalFen, bonusFen: fen - principalFen };
}

/** Splits a refund of `fen` in reverse order: bonus first. Null when less was paid. */
export function splitRefund(fen: number, refundable: FenSplit): FenSplit | null {
  if (fen > refundable.principalFen + refundable.bonusFen) return null;
  const bonusFen = Math.min(fen, refundable.bonusFen);
  return { principalFen: fen - bonusFen, bonusFen };
}

/** Channel that a top-up was paid through; refunds go back to it. */
export const PAY_CHANNELS = ["CASH", "WECHAT"] as const;
export type PayChannel = (typeof PAY_CHANNELS)[number];
export const payChannelText: Record<PayChannel, string> = { CASH: "线下收款", WECHAT: "微信支付" };

export interface LedgerLeg {
  account: LedgerAccount;
  amountFen: number;
}

/** Change of a wallet by kind; with the channel where money enters or leaves the system. */
export type WalletChange = FenSplit &
  (
    | { kind: "RECHARGE" | "RECHARGE_REFUND"; channel: PayChannel }
    | { kind: Exclude<JournalKind, "RECHARGE" | "RECHARGE_REFUND"> }
  );

/** Direction of each kind: 1 into the wallet, -1 out of it, 0 either way. */
const directionOf: Record<JournalKind, 1 | -1 | 0> = {
  RECHARGE: 1,
  RECHARGE_REFUND: -1,
  PAYMENT: -1,
  PAYMENT_REFUND: 1,
  PACKAGE_BUY: -1,
  ADMIN_ADJUST: 0,
};

/** True if the signs of the change match its kind and at least one amount is not zero. */
export function isPossibleChange({ kind, principalFen, bonusFen }: WalletChange): boolean {
  const direction = directionOf[kind];
  const hasRightSigns = [principalFen, bonusFen].every((fen) => direction * fen >= 0);
  return hasRightSigns && (principalFen !== 0 || bonusFen !== 0);
}

/** Legs of a journal: the wallet's change and the counter-accounts. */
export function legsOf(change: WalletChange): LedgerLeg[] {
  const { principalFen, bonusFen } = change;
  const legs: LedgerLeg[] = [
    { account: "WALLET_PRINCIPAL", amountFen: principalFen },
    { account: "WALLET_BONUS", amountFen: bonusFen },
    ...answeringLegs(change),
  ];
  return legs.filter(({ amountFen }) => amountFen !== 0);
}

function answeringLegs(change: WalletChange): LedgerLeg[] {
  const { principalFen, bonusFen } = change;
  switch (change.kind) {
    case "RECHARGE":
    case "RECHARGE_REFUND":
      return [
        { account: change.channel, amountFen: -principalFen },
        { account: "GIFT", amountFen: -bonusFen },
      ];
    case "PAYMENT":
    case "PAYMENT_REFUND":
      return [{ account: "ORDER_INCOME", amountFen: -(principalFen + bonusFen) }];
    case "PACKAGE_BUY":
      return [{ account: "PACKAGE_INCOME", amountFen: -(principalFen + bonusFen) }];
    case "ADMIN_ADJUST":
      return [{ account: "ADJUSTMENT", amountFen: -(principalFen + bonusFen) }];
  }
}
