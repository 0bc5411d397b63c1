// Pure rules for when staff are notified about failing webhooks.

/** FAILING: repeated failures; DEAD: a delivery was given up; GONE: the receiver answered 410. */
export type WebhookTrouble = "FAILING" | "DEAD" | "GONE";

/** The place in the notice about an endpoint's trouble. */
export const webhookPlace = (name: string) => `回调地址“${name}”`;

/** All times are Unix milliseconds. */
export interface TroubleFacts {
  /** The endpoint's own trouble; null when its state shows none. */
  state: "FAILING" | "GONE" | null;
  stateMs: number;
  /** When the most recent delivery still given up was given up; null: none. */
  deadMs: number | null;
  lastSuccessMs: number | null;
  notifiedMs: number | null;
  notifiedTrouble: WebhookTrouble | null;
  nowMs: number;
}

/**
 * The trouble to notify about since the last notification; null: none. Several given-up deliveries
 * without a success in between count as one trouble; a recurring one is notified again only after
 * `calmMs`.
 */
export function newTrouble(facts: TroubleFacts, calmMs: number): WebhookTrouble | null {
  const { state, stateMs, deadMs, lastSuccessMs, notifiedTrouble, nowMs } = facts;
  const notifiedMs = facts.notifiedMs ?? Number.NEGATIVE_INFINITY;
  if (state === "GONE" && stateMs > notifiedMs) return "GONE";
  const isCalm = nowMs - notifiedMs < calmMs;
  const hasArrived = lastSuccessMs !== null && lastSuccessMs > notifiedMs;
  if (deadMs !== null && deadMs > notifiedMs) {
    if (notifiedTrouble !== "DEAD" || (hasArrived && !isCalm)) return "DEAD";
  }
  return state === "FAILING" && stateMs > notifiedMs && !isCalm ? "FAILING" : null;
}
