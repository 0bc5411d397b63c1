// What neighbours may use of text messages.

export { smsRoutes } from "./sms.routes.ts";
export { queueSms, type SmsCarrierDraft, sealSmsText } from "./sms.service.ts";
export { smsCreditRoutes } from "./sms-credit.routes.ts";
