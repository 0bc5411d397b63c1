// Public interface of message templates for other features.

export {
  contentOwner,
  type MessageRequest,
  type SendResult,
  sendMessage,
  smsTextOf,
} from "./send-message.service.ts";
export { measureSubscribe } from "./subscribe.metrics.ts";
export {
  parseSubscribeEvents,
  takeSubscribeEvents,
} from "./subscribe-event.service.ts";
export { listSubscribeOfOrder } from "./subscribe-message.service.ts";
export { forgetSubscriber, settleRestored } from "./subscribe-message.sql.ts";
export { templateJobs } from "./template.jobs.ts";
export { appSubscriptionRoutes, templateRoutes } from "./template.routes.ts";
export {
  findMessageRoute,
  hasEnabledChannel,
  isFirstNotice,
  keyOf,
} from "./template.sql.ts";
