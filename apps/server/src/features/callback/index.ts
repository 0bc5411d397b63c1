// Public interface of the webhook feature.
export { callbackJobs } from "./callback.jobs.ts";
export { callbackRoutes } from "./callback.routes.ts";
export { CallbackClient } from "./callback-client.ts";
export { measureCallbacks } from "./callback-measure.ts";
export {
  bodyOf as callbackBody,
  newSecret as newCallbackSecret,
  openSecret as openCallbackSecret,
  sealSecret as sealCallbackSecret,
  signatureOf as signCallback,
} from "./callback-message.ts";
export { startCallbackSender } from "./callback-sender.ts";
export {
  findLatestCallbacks,
  findToldOfOrder,
} from "./delivery.sql.ts";
export { stateOf as callbackStateOf } from "./outbox.sql.ts";
export { publishEvent } from "./publish.service.ts";
