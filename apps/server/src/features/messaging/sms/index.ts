// Public interface of text messages for other features.

export type { SmsUrls } from "./carrier.port.ts";
export { smsJobs } from "./sms.jobs.ts";
export { measureSms } from "./sms.metrics.ts";
export { smsRoutes } from "./sms.routes.ts";
export {
  listSmsOfOrder,
  openSmsText,
  ownerOf as smsTextOwner,
  queueSms,
  readSmsTextsOfOrder,
  sealSmsText,
} from "./sms.service.ts";
export { smsChannelRoutes } from "./sms-channel.routes.ts";
export { SECRET_OWNER as CHANNEL_SECRET_OWNER, sealChannelSecret } from "./sms-channel.service.ts";
export { findSmsChannel } from "./sms-channel.sql.ts";
export { smsCreditRoutes } from "./sms-credit.routes.ts";
export { failRestored, forgetSmsOf } from "./sms-sending.sql.ts";
export { smsStatisticsRoutes } from "./sms-statistics.routes.ts";
