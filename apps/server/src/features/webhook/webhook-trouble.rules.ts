// Pure rules for when staff are notified about failing webhooks.

/** FAILING: repeated failures; DEAD: a delivery was given up; GONE: the receiver answered 410. */
export type WebhookTrouble = "FAILING" | "DEAD" | "GONE";

/** All times are Unix milliseconds. */
export interface TroubleFacts {
  /** The endpoint's own trouble; null when its state shows none. */
  state: "FAILING" | "GONE" | null;
  stateMs: number;
  /** When the most recent delivery still given up was given up; null: none. */
  deadMs: number | null;
  lastSuccessMs: number | null;
  toldMs: number | null;
  toldTrouble: WebhookTrouble | null;
  nowMs: number;
}

/**
 * The trouble to notify about since the last notification; null: none. Several given-up deliveries
 * without a success in between count as one trouble; a recurring one is notified again only after
 * `calmMs`.
 */
export function newTrouble(facts: TroubleFacts, calmMs: number): WebhookTrouble | null {
  const { state, stateMs, deadMs, lastSuccessMs, toldTrouble, nowMs } = facts;
  const toldMs = facts.toldMs ?? Number.NEGATIVE_INFINITY;
  if (state === "GONE" && stateMs > toldMs) return "GONE";
  const isCalm = nowMs - toldMs < calmMs;
  const hasArrived = lastSuccessMs !== null && lastSuccessMs > toldMs;
  if (deadMs !== null && deadMs > toldMs) {
    if (toldTrouble !== "DEAD" || (hasArrived && !isCalm)) return "DEAD";
  }
  return state === "FAILING" && stateMs > toldMs && !isCalm ? "FAILING" : null;
}
