// Codes of authenticators (RFC 6238) and recovery codes.
import { createHmac, randomBytes } from "node:crypto";
import {
  RECOVERY_CODES,
  tidyCode,
} from "@cabinet/contract/identity/second-factor/second-factor.rules.ts";
import { Secret, TOTP } from "otpauth";
import type { AccountKey } from "../../../platform/context.ts";
import type { Vault } from "../../../platform/secrets.ts";

const ISSUER = "智能存取系统";
/** Clocks may differ by one step of 30 s. */
const WINDOW = 1;
/** 50 bits: with the limits on tries out of reach. */
const RECOVERY_BYTES = 10;
/** Letters and digits that are not mistaken for one another. */
const RECOVERY_ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ0123456789";

export const totpSealedFor = ({ tenantId, operatorId }: AccountKey): string =>
  `totp ${tenantId}/${operatorId}`;

function totpOf(secret: string, username: string): TOTP {
  // The issuer once: with Chinese letters it makes the QR code dense.
  const names = { issuer: ISSUER, issuerInLabel: false, label: username };
  return new TOTP({ ...names, secret: Secret.fromBase32(secret) });
}

/** A new secret in Base32, and its URI for a QR code. */
export function makeTotp(username: string): { secret: string; uri: string } {
  const secret = new Secret({ size: 20 }).base32;
  return { secret, uri: totpOf(secret, username).toString() };
}

/** Time step to which the code belongs; null for a wrong one. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const totp = totpOf(secret, "");
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

/** As `XXXXX-XXXXX`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(
      randomBytes(RECOVERY_BYTES),
      (byte) => RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length],
    ).join("");
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
}

/** Keyed and bound to the account: without the master key, a copy of the database tells nothing about the codes. */
export function hashRecoveryCode(
  vault: Vault,
  { tenantId, operatorId }: AccountKey,
  code: string,
): Buffer {
  return createHmac("sha256", vault.derive("recovery-code"))
    .update(`${tenantId}/${operatorId} ${tidyCode(code)}`)
    .digest();
}
