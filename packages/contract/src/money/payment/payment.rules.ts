// Pure rules of WeChat payment: states of top-ups and refunds, refundable amounts. Integer fen.

/** States of a top-up refund; ABNORMAL: WeChat could not pay it out and a person must act. */
export const TOP_UP_REFUND_STATES = ["PROCESSING", "DONE", "ABNORMAL", "FAILED"] as const;
export type TopUpRefundState = (typeof TOP_UP_REFUND_STATES)[number];
export const topUpRefundStateText: Record<TopUpRefundState, string> = {
  PROCESSING: "退款中",
  DONE: "已退款",
  ABNORMAL: "退款异常",
  FAILED: "退款失败",
};

/** Certificates that expire within this many days must be renewed. */
export const CERTIFICATE_WARNING_DAYS = 30;

/** Days before expiry on which people are notified; 0: expired. */
const CERTIFICATE_STEPS = [CERTIFICATE_WARNING_DAYS, 14, 7, 3, 1, 0] as const;

/** Step reached with `daysLeft` days left; null: expiry is more than the first step away. */
export function certificateStep(daysLeft: number): number | null {
  return CERTIFICATE_STEPS.findLast((step) => daysLeft <= step) ?? null;
}

/** Path for WeChat's notices of payments and refunds, below the origin of a tenant's setting. */
export const PAYMENT_NOTICE_PATH = "/wechat-pay/v1/notice/{tenantId}";

export function noticeUrl(origin: string, tenantId: number): string {
  return `${origin}${PAYMENT_NOTICE_PATH.replace("{tenantId}", String(tenantId))}`;
}

export interface TopUpMoney {
  principalFen: number;
  bonusFen: number;
  refundedPrincipalFen: number;
  refundedBonusFen: number;
}

export interface Spendable {
  principalFen: number;
  bonusFen: number;
}

/** Refundable part of a top-up in fen: paid, not yet refunded and still in the wallet. */
export function refundableFen(topUp: TopUpMoney, wallet: Spendable): number {
  return Math.max(
    0,
    Math.min(topUp.principalFen - topUp.refundedPrincipalFen, wallet.principalFen),
  );
}

/**
 * Bonus taken back when `fen` of the principal is refunded: in proportion, calculated over all
 * refunds of the top-up, so that the last one takes the rest; never more than the wallet has.
 */
export function bonusTakenBack(topUp: TopUpMoney, fen: number, wallet: Spendable): number {
  if (topUp.principalFen === 0) return 0;
  const returned = topUp.refundedPrincipalFen + fen;
  const due = Number(
    (BigInt(topUp.bonusFen) * BigInt(returned) + BigInt(topUp.principalFen) - 1n) /
      BigInt(topUp.principalFen),
  );
  return Math.max(0, Math.min(due - topUp.refundedBonusFen, wallet.bonusFen));
}
