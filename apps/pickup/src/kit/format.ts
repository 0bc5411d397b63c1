// Money and times as people read them.
import { moneyText } from "@cabinet/contract/kit/money.rules.ts";
import { normalizePhone } from "@cabinet/contract/kit/phone.rules.ts";
import { shanghaiMinute } from "@cabinet/contract/kit/shanghai.rules.ts";

export const money = moneyText;

/** `11-24 18:30`, with the year only if it is not this one. */
export function time(iso: string): string {
  const whole = shanghaiMinute(iso);
  const isThisYear = whole.slice(0, 4) === shanghaiMinute(new Date().toISOString()).slice(0, 4);
  return isThisYear ? whole.slice(5) : whole;
}

/** `18:30` of a moment in milliseconds since 1970. */
export const clock = (at: number): string => shanghaiMinute(new Date(at).toISOString()).slice(-5);

/** `138 1234 5678`: a number that is read back, in the groups of people. */
export const groupedPhone = (phone: string): string =>
  normalizePhone(phone).replace(/^(\d{3})(\d{4})(\d{4})$/, "$1 $2 $3");
