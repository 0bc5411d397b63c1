// Display text and tone of a subscribe message's state.
import {
  type SubscribeState,
  subscribeStateText,
} from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import type { SubscribeMessage } from "@cabinet/contract/messaging/template/template.contract.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";

const toneOf: Record<SubscribeState, Tone> = {
  QUEUED: "waiting",
  SENDING: "waiting",
  SENT: "good",
  DELIVERED: "good",
  FAILED: "bad",
  UNKNOWN: "doubtful",
};

export function SubscribeStatus({ state }: { state: SubscribeState }) {
  return <Status tone={toneOf[state]}>{subscribeStateText[state]}</Status>;
}

/** Problem and fallback text message, in addition to the state. */
export function subscribeResultText({ problem, smsId }: SubscribeMessage): string {
  return [problem, smsId === null ? "" : "已改发短信"].filter(Boolean).join("；");
}
