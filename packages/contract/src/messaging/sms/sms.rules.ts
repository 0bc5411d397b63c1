// Pure rules of text messages: scenes, signs, billed segments.

/** Scenes in the order of an order's life; `template.rules.ts` has their recipients. */
export const MESSAGE_SCENARIOS = [
  "SIGN_IN_CODE",
  "PICKUP_CODE",
  "STORED",
  "OVERDUE",
  "OUTAGE",
  "RECIPIENT_CHANGED",
  "PICKED_UP",
  "TAKEN_BACK",
  "REFUNDED",
  "MALFUNCTION",
] as const;
export type MessageScenario = (typeof MESSAGE_SCENARIOS)[number];
export const messageScenarioText: Record<MessageScenario, string> = {
  SIGN_IN_CODE: "登录验证码",
  PICKUP_CODE: "取件码",
  STORED: "存件通知",
  OVERDUE: "滞留提醒",
  OUTAGE: "故障告知",
  RECIPIENT_CHANGED: "取件人更正",
  PICKED_UP: "取件通知",
  TAKEN_BACK: "取回通知",
  REFUNDED: "退款通知",
  MALFUNCTION: "故障通知",
};

const ONE_SEGMENT = 70;
/** Parts of a longer text also carry a part number, hence the smaller size. */
const PART_OF_MANY = 67;

/** Billed segments: carriers count UTF-16 units, as `length` does. */
export function smsSegments(text: string): number {
  return text.length <= ONE_SEGMENT ? 1 : Math.ceil(text.length / PART_OF_MANY);
}

/** Default sign in front of a tenant's messages. */
export const USUAL_SIGN = "智能存取";

/** Text as sent: carriers require the sign in front. */
export function signedText(sign: string, text: string): string {
  return `【${sign || USUAL_SIGN}】${text}`;
}
