// Masks recorded bodies: phones, codes and secrets are hidden, and the length is limited.
import {
  isPhone,
  maskPhone,
  maskWrittenPhones,
  normalizePhone,
} from "@cabinet/contract/kit/phone.rules.ts";

const MOST_CHARACTERS = 8_000;
const PHONE_NAME = /phone|mobile|tel$/i;
/** Field names whose values are hidden. */
const SECRET_NAME = /^(code|pickupCode)$|secret|token|password|authorization|signature/i;

/** Masks a body as sent or received; one that is not JSON is recorded by size only. Null for an empty body. */
export function maskedBody(body: Buffer | string): string | null {
  if (body.length === 0) return null;
  try {
    const text = JSON.stringify(masked(JSON.parse(body.toString())));
    return text.length > MOST_CHARACTERS
      ? `${text.slice(0, MOST_CHARACTERS)}…（共 ${text.length} 个字符）`
      : text;
  } catch {
    return `（不是 JSON，${Buffer.byteLength(body)} 字节）`;
  }
}

/** Secrets in a text that is not JSON, or is cut off. */
const SECRET_PAIRS =
  /((?:[\w-]*(?:secret|token|password|authorization|signature)[\w-]*|"(?:pickupC|c)ode)["']?\s*[:=]\s*["']?(?:(?:bearer|basic)\s+)?)[^"'&,;\s<}]+/gi;

/** Masks phones and secrets in a text that is not JSON. */
export function maskedText(text: string): string {
  return maskWrittenPhones(text).replace(SECRET_PAIRS, "$1******");
}

/** A mistyped phone is masked too. */
function maskedField(name: string, text: string): string {
  if (SECRET_NAME.test(name)) return "******";
  if (isPhone(text)) return maskPhone(normalizePhone(text));
  const shown = maskWrittenPhones(text);
  return PHONE_NAME.test(name)
    ? shown.replace(/\d{5,}/g, (digits) => `${digits.slice(0, 3)}****`)
    : shown;
}

function masked(value: unknown, name = ""): unknown {
  if (typeof value === "string") return maskedField(name, value);
  if (typeof value === "number") {
    const text = String(value);
    const shown = PHONE_NAME.test(name) ? maskedField(name, text) : maskWrittenPhones(text);
    return shown === text ? value : shown;
  }
  if (Array.isArray(value)) return value.map((item) => masked(item, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, masked(field, key)]));
}
