// Pure rules of text messages: their scenes, what each says, how many segments carriers count.

export const SMS_SCENES = ["SIGN_IN_CODE", "PICKUP_CODE", "OVERDUE"] as const;
export type SmsScene = (typeof SMS_SCENES)[number];
export const smsSceneText: Record<SmsScene, string> = {
  SIGN_IN_CODE: "登录验证码",
  PICKUP_CODE: "取件码",
  OVERDUE: "滞留提醒",
};

const ONE_SEGMENT = 70;
/** The parts of a longer text carry their number too. */
const PART_OF_MANY = 67;

/** As the carriers bill: by UTF-16 units, which is what `length` counts. */
export function smsSegments(text: string): number {
  return text.length <= ONE_SEGMENT ? 1 : Math.ceil(text.length / PART_OF_MANY);
}

const SIGNATURE = "【智能存取】";

export function signInCodeText(code: string, minutes: number): string {
  return `${SIGNATURE}登录验证码 ${code}，${minutes} 分钟内有效，请勿告诉他人。`;
}

/** `place`: where the cabinet stands, as a recipient finds it; `price` in words. */
export function pickupCodeText(facts: {
  place: string;
  no: number;
  code: string;
  price: string;
}): string {
  const { place, no, code, price } = facts;
  return `${SIGNATURE}取件码 ${code}：${place} ${no} 号格口。${price}。`;
}

export function overdueText(facts: { place: string; no: number; price: string }): string {
  const { place, no, price } = facts;
  return `${SIGNATURE}您在${place} ${no} 号格口的物品已滞留，请尽快取出。${price}。`;
}
