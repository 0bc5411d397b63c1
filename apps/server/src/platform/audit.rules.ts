// Scrubs audit entries: phones are masked except their ends, secrets and pickup codes are hidden.
import { maskPhones } from "@cabinet/contract/kit/phone.rules.ts";

const SECRET_NAME = /password|secret$|token$|privateKey|pickupCode|apiKey|mapKey/i;
const HIDDEN = "******";

/** A copy of the noted value; a secret only shows that it is set. */
export function scrubbed(value: unknown): unknown {
  if (typeof value === "string") return maskPhones(value);
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
