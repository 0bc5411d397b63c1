// What neighbours may use of text messages.
export { useSmsResend } from "./sms-resend.tsx";
export { SmsStatus } from "./sms-state.tsx";
