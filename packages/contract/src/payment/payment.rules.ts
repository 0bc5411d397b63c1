// Pure rules of paying by WeChat: how top-ups and their refunds stand, what may be given back. Integer fen.

/** How the refund of a top-up stands; ABNORMAL: WeChat could not pay it out and waits for a person. */
export const TOP_UP_REFUND_STATES = ["PROCESSING", "DONE", "ABNORMAL", "FAILED"] as const;
export type TopUpRefundState = (typeof TOP_UP_REFUND_STATES)[number];
export const topUpRefundStateText: Record<TopUpRefundState, string> = {
  PROCESSING: "退款中",
  DONE: "已退款",
  ABNORMAL: "退款异常",
  FAILED: "退款失败",
};

/** A certificate that ends sooner is to be renewed. */
export const CERTIFICATE_WARNING_DAYS = 30;

/** People are told of its end this many days before, and once it is over. */
const CERTIFICATE_STEPS = [CERTIFICATE_WARNING_DAYS, 14, 7, 3, 1, 0] as const;

/** The step that has been reached with so many days left; null: its end is far. */
export function certificateStep(daysLeft: number): number | null {
  return CERTIFICATE_STEPS.findLast((step) => daysLeft <= step) ?? null;
}

/** Where WeChat tells of payments and refunds, below the origin of a tenant's setting. */
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

/** Of what was paid in, what is not given back yet and not spent yet either. */
export function refundableFen(topUp: TopUpMoney, wallet: Spendable): number {
  return Math.max(
    0,
    Math.min(topUp.principalFen - topUp.refundedPrincipalFen, wallet.principalFen),
  );
}

/**
 * The bonus that goes when `fen` of the principal is given back: in the same proportion, over all
 * refunds of the top-up together, so that the last one takes the rest; never more than there is.
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
