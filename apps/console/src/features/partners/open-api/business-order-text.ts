// Display texts of a business order: state difference and result of the last webhook.

import { deliveryStateText } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { webhookEventText } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type { BusinessOrder } from "@cabinet/contract/partners/open-api/business-order.contract.ts";
import type { Difference } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import type { Tone } from "../../../ui/display/tone.rules.ts";

export const differenceTone: Record<Difference, Tone> = {
  SAME: "good",
  BEHIND: "doubtful",
  UNTOLD: "waiting",
};

export function webhookText({ type, state }: NonNullable<BusinessOrder["lastCallback"]>): string {
  return `${deliveryStateText[state]} · ${webhookEventText[type]}`;
}
