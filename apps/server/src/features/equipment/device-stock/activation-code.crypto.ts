// Hashes of activation codes and claims as the database keeps them, compared in constant time.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { formatActivationCode, newActivationCode, parseActivationCode } from "@cabinet/link";
import type { Vault } from "../../../platform/secrets.ts";

/** Compared when there is no hash, so that the comparison takes as long. */
const NO_HASH = Buffer.alloc(32);

export class ActivationCodes {
  readonly #key: string;

  constructor(vault: Vault) {
    this.#key = vault.derive("activation-code");
  }

  /** A new code in the form in which it is shown once, and its hash. */
  make(sn: string): { activationCode: string; codeHash: Buffer } {
    const code = newActivationCode();
    return { activationCode: formatActivationCode(code), codeHash: this.#hash(sn, code) };
  }

  /** `typed`: the code as a person entered it. */
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
