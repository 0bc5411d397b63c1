// Texts and tones of webhook states, and paths of their pages.

import type { WebhookDelivery } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import type {
  AttemptOutcome,
  DeliveryState,
  EndpointState,
  ProbeResult,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import {
  attemptOutcomeText,
  deliveryPurposeText,
  deliveryStateText,
  probeResultOf,
  probeResultText,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { webhookEventText } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type { Tone } from "../../../ui/display/tone.rules.ts";

export const endpointTone: Record<EndpointState, Tone> = {
  ENABLED: "good",
  FAILING: "bad",
  DISABLED: "quiet",
};

export const deliveryTone: Record<DeliveryState, Tone> = {
  WAITING: "waiting",
  SENDING: "waiting",
  DELIVERED: "good",
  DEAD: "bad",
  CANCELLED: "quiet",
};

export const probeTone: Record<ProbeResult, Tone> = {
  REFUSED: "good",
  ACCEPTED: "bad",
  UNCLEAR: "doubtful",
};

/** Formats as `第三方返回错误 · HTTP 500`. */
export function outcomeText(outcome: AttemptOutcome | null, status: number | null): string {
  if (outcome === null) return "—";
  return status === null
    ? attemptOutcomeText[outcome]
    : `${attemptOutcomeText[outcome]} · HTTP ${status}`;
}

type Known<Key extends keyof WebhookDelivery> = Pick<WebhookDelivery, Key>;

/** State of a delivery; for an answered probe, its result. */
export function deliveryStatus({
  purpose,
  state,
  lastOutcome,
  lastStatus,
}: Known<"purpose" | "state" | "lastOutcome" | "lastStatus">): { text: string; tone: Tone } {
  const isAnswered = purpose === "PROBE" && (state === "DELIVERED" || state === "DEAD");
  const found = isAnswered && lastOutcome ? probeResultOf(lastOutcome, lastStatus) : null;
  if (found) return { text: probeResultText[found], tone: probeTone[found] };
  return { text: deliveryStateText[state], tone: deliveryTone[state] };
}

/** Event of a delivery; a probe has no event. */
export function deliveryText({ purpose, type }: Known<"purpose" | "type">): string {
  return purpose === "PROBE" ? deliveryPurposeText.PROBE : webhookEventText[type];
}
