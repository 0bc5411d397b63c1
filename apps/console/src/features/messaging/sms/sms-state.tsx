// Display text and tone of a text message's state.
import { type SmsState, smsStateText } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";

const toneOf: Record<SmsState, Tone> = {
  OUTBOX: "quiet",
  QUEUED: "waiting",
  SENDING: "waiting",
  SENT: "waiting",
  DELIVERED: "good",
  FAILED: "bad",
};

export function SmsStatus({ state }: { state: SmsState }) {
  return <Status tone={toneOf[state]}>{smsStateText[state]}</Status>;
}
