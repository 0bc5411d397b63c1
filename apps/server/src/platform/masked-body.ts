// Bodies as records keep them: phones, codes and secrets unreadable, and not longer than a person looks at.
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";

const MOST_CHARACTERS = 8_000;
const PHONES = /(?<!\d)1[3-9]\d{9}(?!\d)/g;
/** Names whose texts nobody shall read. */
const SECRET_NAME = /^(code|pickupCode)$|secret|token|password|authorization|signature/i;

/** A body as it travelled; what is no JSON is told by its size alone. Null where there was none. */
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

/** A text that is no JSON, with nobody's phone in it. */
export function maskedText(text: string): string {
  return text.replace(PHONES, maskPhone);
}

function masked(value: unknown, name = ""): unknown {
  if (typeof value === "string") {
    return SECRET_NAME.test(name) ? "******" : value.replace(PHONES, maskPhone);
  }
  if (typeof value === "number") {
    const text = String(value);
    return text.search(PHONES) >= 0 ? maskPhone(text) : value;
  }
  if (Array.isArray(value)) return value.map((item) => masked(item, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, masked(field, key)]));
}
