// Activation codes and claims as the database keeps them: hashes, compared in constant time.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { formatActivationCode, newActivationCode, parseActivationCode } from "@cabinet/link";
import type { Vault } from "../../platform/secrets.ts";

/** Stands in for a hash where there is none, so that the comparison takes as long. */
const NO_HASH = Buffer.alloc(32);

export class ActivationCodes {
  readonly #key: string;

  constructor(vault: Vault) {
    this.#key = vault.derive("activation-code");
  }

  /** A fresh code as it is shown once, and its hash. */
  make(sn: string): { activationCode: string; codeHash: Buffer } {
    const code = newActivationCode();
    return { activationCode: formatActivationCode(code), codeHash: this.#hash(sn, code) };
  }

  /** `typed` as a person typed it. */
  isRight(sn: string, typed: string, codeHash: Buffer | null): boolean {
    const given = this.#hash(sn, parseActivationCode(typed) ?? "");
    return timingSafeEqual(given, codeHash ?? NO_HASH) && codeHash !== null;
  }

  #hash(sn: string, code: string): Buffer {
    return createHmac("sha256", this.#key).update(`${sn}\n${code}`).digest();
  }
}

export function hashClaim(claim: string): Buffer {
  return createHash("sha256").update(claim).digest();
}

export function isSameClaim(claimHash: Buffer, known: Buffer | null): boolean {
  return timingSafeEqual(claimHash, known ?? NO_HASH) && known !== null;
}
