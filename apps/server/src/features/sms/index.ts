// What neighbours may use of text messages.
export { queueSms } from "./sms.service.ts";
