// Pickup codes: six random digits, stored only as an HMAC.
import { createHmac, randomInt } from "node:crypto";
import type { Vault } from "../../../../platform/secrets.ts";

const DIGITS = 6;

export function makeCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
}

/** Every six digits in a row: a template may put other digits beside the code, so that only its hash tells it apart. */
export function possibleCodes(text: string): string[] {
  return [...text.matchAll(/(?=(\d{6}))/g)].map(([, digits = ""]) => digits);
}

/** Bound to tenant and cabinet: the same code opens nothing elsewhere. */
export function hashCode(
  vault: Vault,
  { tenantId, cabinetId }: { tenantId: number; cabinetId: number },
  code: string,
): Buffer {
  return createHmac("sha256", vault.derive("pickup-code"))
    .update(`${tenantId}\n${cabinetId}\n${code}`)
    .digest();
}
