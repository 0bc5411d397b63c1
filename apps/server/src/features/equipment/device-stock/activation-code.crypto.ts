// Hashes of activation codes and claims as the database keeps them, compared in constant time.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { formatActivationCode, newActivationCode, parseActivationCode } from "@cabinet/link";
import type { Vault } from "../../../platform/secrets.ts";

/** Compared when there is no hash, so that the comparison takes as long. */
const NO_HASH = Buffer.alloc(32);

/** A new code in the form in which it is shown once, and its hash. */
export function makeActivationCode(vault: Vault, sn: string) {
  const code = newActivationCode();
  return { activationCode: formatActivationCode(code), codeHash: hashCode(vault, sn, code) };
}

/** `typed`: the code as a person entered it. */
export function isRightCode(
  vault: Vault,
  sn: string,
  typed: string,
  codeHash: Buffer | null,
): boolean {
  const given = hashCode(vault, sn, parseActivationCode(typed) ?? "");
  return timingSafeEqual(given, codeHash ?? NO_HASH) && codeHash !== null;
}

function hashCode(vault: Vault, sn: string, code: string): Buffer {
  return createHmac("sha256", vault.derive("activation-code")).update(`${sn}\n${code}`).digest();
}

export function hashClaim(claim: string): Buffer {
  return createHash("sha256").update(claim).digest();
}

export function isSameClaim(claimHash: Buffer, known: Buffer | null): boolean {
  return timingSafeEqual(claimHash, known ?? NO_HASH) && known !== null;
}
