// Phone rule for mainland China (specification §5), used by every form, filter and call.

import { cleanCode } from "./text.rules.ts";

export const PHONE_HINT = "11 位手机号，如 13812345678";

const WHOLE = /^(?:\+86|0086|86)?(1[3-9]\d{9})$/;

/** Separators that people and address books write. */
const SEPARATORS = /^tel:|[-.()·/]/gi;

/** Plain digits and `+`, without separators and invisible characters. */
const plainPhone = (text: string) => cleanCode(text).replace(SEPARATORS, "");

/**
 * Removes separators, invisible characters and the country code (+86, 0086 or 86): `(+86) 138–1234–5678` becomes
 * `13812345678`. Text that is not a whole phone loses only the first two.
 */
export function normalizePhone(text: string): string {
  const plain = plainPhone(text);
  return WHOLE.exec(plain)?.[1] ?? plain;
}

/** Optional country code, then 1, a digit 3–9 and nine digits; separators and invisible characters are ignored. */
export function isPhone(text: string): boolean {
  return WHOLE.test(plainPhone(text));
}

/**
 * `WHOLE`: a phone; `OPTIONAL`: a phone or nothing; `PART`: at least 4 of its digits, for filters; `SEARCH`: any text,
 * which may be a phone.
 */
export type PhoneForm = "WHOLE" | "OPTIONAL" | "PART" | "SEARCH";

/** Number of last digits that masked phones show. */
export const PHONE_TAIL = 4;

/** Meaning of digits in a search: one person's number, the end that everybody sees, or a part that a mask hides. */
export function phoneSearchOf(digits: string): "WHOLE" | "TAIL" | "PART" | null {
  if (!/^\d{4,11}$/.test(digits)) return null;
  if (digits.length === 11) return "WHOLE";
  return digits.length === PHONE_TAIL ? "TAIL" : "PART";
}

export function fitsPhone(form: PhoneForm, text: string): boolean {
  if (form === "SEARCH") return true;
  if (form === "PART") return phoneSearchOf(normalizePhone(text)) !== null;
  return isPhone(text) || (form === "OPTIONAL" && cleanCode(text) === "");
}

/** Masks the middle four digits: `138****5678`. */
export function maskPhone(phone: string): string {
  return phone.replace(/(\d{3})\d{4}(\d{4})$/, "$1****$2");
}

const WITHIN = /(?<!\d)(?:\+?86|0086)?1[3-9]\d{9}(?!\d)/g;
/** Digits and separators in each form that `normalizePhone` reads. */
const WRITTEN = (() => {
  const [digit, gap] = ["[0-9０-９]", "[\\p{Pd}\\p{Cf}\\ufe0f\\u2212\\s.．()（）·/]{0,3}"];
  const four = `${digit}{4}`;
  const phone = `[1１]${gap}[3-9３-９]${digit}${gap}${four}${gap}${four}`;
  return new RegExp(`(?<!${digit})(?:(?:[+＋]|00)?86${gap})?${phone}(?!${digit})`, "gu");
})();

/** Masks every phone within a text. */
export function maskPhones(text: string): string {
  return text.replace(WITHIN, maskPhone);
}

/** Like `maskPhones`, also with separators and wide digits, which occur in ids by chance: for text that people write. */
export function maskWrittenPhones(text: string): string {
  return text.replace(WRITTEN, (phone) => maskPhone(plainPhone(phone)));
}
