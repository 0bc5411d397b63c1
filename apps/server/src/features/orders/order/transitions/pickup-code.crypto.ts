// Pickup codes: six random digits, stored only as an HMAC.
import { createHmac, randomInt } from "node:crypto";
import type { Vault } from "../../../../platform/secrets.ts";

const DIGITS = 6;

export function makeCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
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
