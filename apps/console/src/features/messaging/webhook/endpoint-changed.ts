// Queries to invalidate after a webhook endpoint changed.
import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";

export const endpointChanged = {
  invalidates: [webhookContract.endpoints, webhookContract.endpoint],
  isQuiet: true,
};
