// Pure rules of tenants' SMS credit, in segments.

/** Entries of an account: bought, taken back, used by a message. */
export const SMS_CREDIT_KINDS = ["RECHARGE", "REVERSAL", "USE"] as const;
export type SmsCreditKind = (typeof SMS_CREDIT_KINDS)[number];
export const smsCreditKindText: Record<SmsCreditKind, string> = {
  RECHARGE: "充值",
  REVERSAL: "撤回充值",
  USE: "发送使用",
};

export const MAX_RECHARGE_SEGMENTS = 1_000_000;
export const MAX_RECHARGE_FEN = 10_000_000;

export const LOW_SEGMENTS = 100;

/** True if the remaining credit is so low that sign-in and pickup codes may soon fail. */
export function isCreditLow(left: number): boolean {
  return left < LOW_SEGMENTS;
}

/** Price of one segment in fen, to the hundredth: `4.5`; null where nothing was paid. */
export function fenPerSegment(amountFen: number, segments: number): number | null {
  if (amountFen === 0 || segments === 0) return null;
  return Math.round((amountFen / segments) * 100) / 100;
}
