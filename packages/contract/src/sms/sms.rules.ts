// Pure rules of text messages: their scenes, who signs them, how many segments carriers count.

/** In the order of an order's life; `template.rules.ts` says whom each tells. */
export const SMS_SCENES = [
  "SIGN_IN_CODE",
  "PICKUP_CODE",
  "STORED",
  "OVERDUE",
  "PICKED_UP",
  "TAKEN_BACK",
  "REFUNDED",
  "MALFUNCTION",
] as const;
export type SmsScene = (typeof SMS_SCENES)[number];
export const smsSceneText: Record<SmsScene, string> = {
  SIGN_IN_CODE: "登录验证码",
  PICKUP_CODE: "取件码",
  STORED: "存件通知",
  OVERDUE: "滞留提醒",
  PICKED_UP: "取件通知",
  TAKEN_BACK: "取回通知",
  REFUNDED: "退款通知",
  MALFUNCTION: "故障通知",
};

const ONE_SEGMENT = 70;
/** The parts of a longer text carry their number too. */
const PART_OF_MANY = 67;

/** As the carriers bill: by UTF-16 units, which is what `length` counts. */
export function smsSegments(text: string): number {
  return text.length <= ONE_SEGMENT ? 1 : Math.ceil(text.length / PART_OF_MANY);
}

/** What stands in front of a tenant's texts while it has set nothing else. */
export const USUAL_SIGN = "智能存取";

/** As it is sent: carriers want the sender in front. */
export function signedText(sign: string, text: string): string {
  return `【${sign || USUAL_SIGN}】${text}`;
}
