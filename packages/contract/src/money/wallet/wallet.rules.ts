// Pure rules of manual wallet changes: the maximum, and when the amount must be typed twice.
import type { FenSplit } from "../ledger/ledger.rules.ts";

export const TOP_UP_STATES = ["CREATED", "PAID", "CLOSED", "PARTIAL_REFUND", "REFUNDED"] as const;
export type TopUpState = (typeof TOP_UP_STATES)[number];
export const topUpStateText: Record<TopUpState, string> = {
  CREATED: "待支付",
  PAID: "已到账",
  CLOSED: "已关闭",
  PARTIAL_REFUND: "部分退款",
  REFUNDED: "已退款",
};

/** Manual changes: cash received, or a correction. */
export const WALLET_ACTIONS = ["RECHARGE", "ADMIN_ADJUST"] as const;
export type WalletAction = (typeof WALLET_ACTIONS)[number];
export const walletActionText: Record<WalletAction, string> = {
  RECHARGE: "线下充值",
  ADMIN_ADJUST: "调整余额",
};

/** Largest single change. */
export const MAX_CHANGE_FEN = 2_000_000;
/** Changes from this amount up require typing the amount a second time. */
export const CONFIRM_FROM_FEN = 50_000;

/** Amount to type again, unsigned; null when no confirmation is needed. */
export function amountToConfirm({ principalFen, bonusFen }: FenSplit): number | null {
  const fen = Math.abs(principalFen) + Math.abs(bonusFen);
  return fen >= CONFIRM_FROM_FEN ? fen : null;
}
