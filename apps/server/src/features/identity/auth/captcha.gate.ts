// Captcha (promise A3): a proof of work bound to its challenge, valid for two minutes, single use.
import { randomBytes } from "node:crypto";
import { createChallenge, randomInt, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { CAPTCHA_SECONDS } from "./auth.rules.ts";

/** Iterations per try, and the range of tries a browser needs: about half a second in total. */
const COST = 500;
const TRIES = { least: 200, most: 600 };

export class Captcha {
  readonly #secret: string;

  /** `secret` is shared by all processes that serve one origin. */
  constructor(secret: string) {
    this.#secret = secret;
  }

  create() {
    return createChallenge({
      algorithm: "PBKDF2/SHA-256",
      cost: COST,
      counter: randomInt(TRIES.most, TRIES.least),
      deriveKey,
      expiresAt: new Date(Date.now() + CAPTCHA_SECONDS * 1000),
      hmacSignatureSecret: this.#secret,
      hmacKeySignatureSecret: `${this.#secret}.key`,
      data: { id: randomBytes(16).toString("base64url") },
    });
  }

  /** The id of the solved challenge, or null when the payload is not a valid solution. */
  async verify(payload: string): Promise<string | null> {
    try {
      const { challenge, solution } = JSON.parse(Buffer.from(payload, "base64").toString("utf8"));
      const result = await verifySolution({
        challenge,
        solution,
        deriveKey,
        hmacSignatureSecret: this.#secret,
        hmacKeySignatureSecret: `${this.#secret}.key`,
      });
      const id: unknown = challenge.parameters.data?.id;
      return result.verified && typeof id === "string" ? id : null;
    } catch {
      return null;
    }
  }
}
