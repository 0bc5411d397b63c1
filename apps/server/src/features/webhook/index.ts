// Public interface of the webhook feature.

export {
  findDeliveriesOfOrder as findToldOfOrder,
  findLatestWebhooks as findLatestCallbacks,
} from "./delivery.sql.ts";
export { stateOf as callbackStateOf } from "./outbox.sql.ts";
export { publishEvent } from "./publish.service.ts";
export { webhookJobs as callbackJobs } from "./webhook.jobs.ts";
export { webhookRoutes as callbackRoutes } from "./webhook.routes.ts";
export { WebhookClient as CallbackClient } from "./webhook-client.ts";
export { measureWebhooks as measureCallbacks } from "./webhook-measure.ts";
export {
  bodyOf as callbackBody,
  newSecret as newCallbackSecret,
  openSecret as openCallbackSecret,
  sealSecret as sealCallbackSecret,
  signatureOf as signCallback,
} from "./webhook-message.ts";
export { startWebhookSender as startCallbackSender } from "./webhook-sender.ts";
