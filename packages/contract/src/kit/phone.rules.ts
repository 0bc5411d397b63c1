// Phone rule for mainland China (specification §5), used by every form, filter and call.

export const PHONE_HINT = "11 位手机号，如 13812345678";

const WHOLE = /^(?:\+86|0086|86)?(1[3-9]\d{9})$/;

/**
 * Removes spaces, dashes and the country code (+86, 0086 or 86): `+86 138-1234-5678` becomes
 * `13812345678`. Text that is not a whole phone loses only its spaces and dashes.
 */
export function normalizePhone(text: string): string {
  const plain = text.replace(/[\s-]/g, "");
  return WHOLE.exec(plain)?.[1] ?? plain;
}

/** Optional country code, then 1, a digit 3–9 and nine digits; spaces and dashes are ignored. */
export function isPhone(text: string): boolean {
  return WHOLE.test(text.replace(/[\s-]/g, ""));
}

/** `WHOLE`: a phone; `OPTIONAL`: a phone or nothing; `PART`: at least 4 of its digits, for filters. */
export type PhoneForm = "WHOLE" | "OPTIONAL" | "PART";

export function fitsPhone(form: PhoneForm, text: string): boolean {
  if (form === "PART") return /^\d{4,11}$/.test(normalizePhone(text));
  return isPhone(text) || (form === "OPTIONAL" && text.trim() === "");
}

/** Masks the middle four digits: `138****5678`. */
export function maskPhone(phone: string): string {
  return phone.replace(/(\d{3})\d{4}(\d{4})$/, "$1****$2");
}

const WITHIN = /(?<!\d)(?:\+?86|0086)?1[3-9]\d{9}(?!\d)/g;
const WRITTEN = /(?<!\d)(?:(?:\+|00)?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\d)/g;

/** Masks every phone within a text. */
export function maskPhones(text: string): string {
  return text.replace(WITHIN, maskPhone);
}

/** Like `maskPhones`, also with spaces and dashes, which occur in ids by chance: for text that people write. */
export function maskWrittenPhones(text: string): string {
  return text.replace(WRITTEN, (phone) => maskPhone(phone.replace(/[ -]/g, "")));
}
