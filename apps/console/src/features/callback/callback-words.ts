// How states of callbacks feel, and where their pages are.
import type {
  AttemptOutcome,
  DeliveryState,
  EndpointState,
  ProbeResult,
} from "@cabinet/contract/callback/callback.rules.ts";
import { attemptOutcomeText } from "@cabinet/contract/callback/callback.rules.ts";
import type { Tone } from "../../ui/tone.rules.ts";

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

/** `对方返回错误 · HTTP 500` */
export function outcomeText(outcome: AttemptOutcome | null, status: number | null): string {
  if (outcome === null) return "—";
  return status === null
    ? attemptOutcomeText[outcome]
    : `${attemptOutcomeText[outcome]} · HTTP ${status}`;
}
