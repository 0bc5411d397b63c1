// Public exports of the sms feature.
export { useSmsResend } from "./sms-resend.tsx";
export { SmsStatus } from "./sms-state.tsx";
