// Scrubs audit entries: phones are masked except their ends, secrets and pickup codes are hidden.
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";

const PHONE = /(?<!\d)(?:86)?1[3-9]\d{9}(?!\d)/g;
const SECRET_NAME = /password|secret$|token$|privateKey|pickupCode|apiKey|mapKey/i;
const HIDDEN = "******";

/** Masks the phones in a text. */
export function withoutPhones(text: string): string {
  return text.replace(PHONE, maskPhone);
}

/** A copy of the noted value; a secret only shows that it is set. */
export function scrubbed(value: unknown): unknown {
  if (typeof value === "string") return withoutPhones(value);
  if (Array.isArray(value)) return value.map(scrubbed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      SECRET_NAME.test(name) && typeof field === "string" && field !== ""
        ? HIDDEN
        : scrubbed(field),
    ]),
  );
}
