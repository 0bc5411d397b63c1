// Public interface of the webhook feature.

export { replayAppEvents } from "./delivery.service.ts";
export {
  findDeliveriesOfOrder,
  findLatestWebhooks,
} from "./delivery.sql.ts";
export { findAppEvents } from "./event.sql.ts";
export { stateOf as webhookStateOf } from "./outbox.sql.ts";
export { publishAuditHead, publishEvent } from "./publish.service.ts";
export { WebhookClient } from "./webhook.client.ts";
export { webhookJobs } from "./webhook.jobs.ts";
export { measureWebhooks } from "./webhook.metrics.ts";
export { webhookRoutes } from "./webhook.routes.ts";
export {
  bodyOf as webhookBody,
  newSecret as newWebhookSecret,
  openSecret as openWebhookSecret,
  sealedFor as webhookSealedFor,
  sealSecret as sealWebhookSecret,
  signatureOf as signWebhook,
} from "./webhook-message.format.ts";
export { startWebhookSender } from "./webhook-sender.runner.ts";
export { webhookPlace } from "./webhook-trouble.rules.ts";
