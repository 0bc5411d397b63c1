// What an audit entry may say: phones keep their ends, what opens a door or an account is never told.
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";

const PHONE = /(?<!\d)(?:86)?1[3-9]\d{9}(?!\d)/g;
const SECRET_NAME = /password|secret$|token$|privateKey|pickupCode|apiKey|mapKey/i;
const HIDDEN = "******";

/** Text as it may stand in the log. */
export function withoutPhones(text: string): string {
  return text.replace(PHONE, maskPhone);
}

/** A copy of what was noted; a secret says no more than that there is one. */
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
