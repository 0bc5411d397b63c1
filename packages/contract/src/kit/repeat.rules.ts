// Answers to repeated requests: the first result under an idempotency key, and a mark that says so.

/** Header of an answer that an earlier request with the same idempotency key has given: nothing was done again. */
export const REPLAYED_HEADER = "idempotent-replayed";

/** Said instead of the usual success: the earlier press, whose answer was lost, had its effect; this one had none. */
export const REPLAYED_TEXT = "上一次已生效，这次没有重复执行";
