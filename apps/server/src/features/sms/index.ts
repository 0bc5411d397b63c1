// What neighbours may use of text messages.
export { smsRoutes } from "./sms.routes.ts";
export { queueSms } from "./sms.service.ts";
