// Pure rules of four eyes: how long a request waits, and its states in words.

export const REVIEW_HOURS = 24;

export const REVIEW_STATES = ["PENDING", "APPROVED", "REFUSED", "EXPIRED"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];
export const reviewStateText: Readonly<Record<ReviewState, string>> = {
  PENDING: "待复核",
  APPROVED: "已同意",
  REFUSED: "已拒绝",
  EXPIRED: "已过期",
};
