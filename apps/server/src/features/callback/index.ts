// Public interface of the webhook feature.
export { webhookJobs as callbackJobs } from "./callback.jobs.ts";
export { webhookRoutes as callbackRoutes } from "./callback.routes.ts";
export { WebhookClient as CallbackClient } from "./callback-client.ts";
export { measureWebhooks as measureCallbacks } from "./callback-measure.ts";
export {
  bodyOf as callbackBody,
  newSecret as newCallbackSecret,
  openSecret as openCallbackSecret,
  sealSecret as sealCallbackSecret,
  signatureOf as signCallback,
} from "./callback-message.ts";
export { startWebhookSender as startCallbackSender } from "./callback-sender.ts";
export {
  findDeliveriesOfOrder as findToldOfOrder,
  findLatestWebhooks as findLatestCallbacks,
} from "./delivery.sql.ts";
export { stateOf as callbackStateOf } from "./outbox.sql.ts";
export { publishEvent } from "./publish.service.ts";
