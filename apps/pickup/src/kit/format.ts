// Money and times as people read them.
import { moneyText } from "@cabinet/contract/kit/money.rules.ts";
import { shanghaiMinute } from "@cabinet/contract/kit/shanghai.rules.ts";

export const money = moneyText;

/** `11-24 18:30`, with the year only if it is not this one. */
export function time(iso: string): string {
  const whole = shanghaiMinute(iso);
  const isThisYear = whole.slice(0, 4) === shanghaiMinute(new Date().toISOString()).slice(0, 4);
  return isThisYear ? whole.slice(5) : whole;
}
