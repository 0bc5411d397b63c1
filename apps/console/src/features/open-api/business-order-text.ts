// Display texts of a business order: state difference and result of the last webhook.

import type { BusinessOrder } from "@cabinet/contract/open-api/business-order.contract.ts";
import type { Difference } from "@cabinet/contract/open-api/open-api.rules.ts";
import { deliveryStateText } from "@cabinet/contract/webhook/webhook.rules.ts";
import { webhookEventText } from "@cabinet/contract/webhook/webhook-event.rules.ts";
import type { Tone } from "../../ui/tone.rules.ts";

export const differenceTone: Record<Difference, Tone> = {
  SAME: "good",
  BEHIND: "doubtful",
  UNTOLD: "waiting",
};

export function webhookText({ type, state }: NonNullable<BusinessOrder["lastCallback"]>): string {
  return `${deliveryStateText[state]} · ${webhookEventText[type]}`;
}
