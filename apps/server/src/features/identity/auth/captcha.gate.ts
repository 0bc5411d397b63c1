// Captcha (promise A3): a proof of work bound to its challenge, valid for two minutes, single use.
import { randomBytes } from "node:crypto";
import { createChallenge, randomInt, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import type { PublicCtx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { CAPTCHA_SECONDS } from "./auth.rules.ts";
import { useCaptcha } from "./auth.sql.ts";

/** Iterations per try, and the range of tries a browser needs: at level 0 about half a second in total. */
const COST = 500;
const TRIES = { least: 200, most: 600 };

export interface SolvedCaptcha {
  /** Used once. */
  id: string;
  /** Work of each try. */
  cost: number;
}

export function costOf(level: number): number {
  return COST * 2 ** level;
}

export class Captcha {
  readonly #secret: string;

  /** `secret` is shared by all processes that serve one origin. */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Each level takes twice the work of the one below. */
  create(level: number) {
    return createChallenge({
      algorithm: "PBKDF2/SHA-256",
      cost: costOf(level),
      counter: randomInt(TRIES.most, TRIES.least),
      deriveKey,
      expiresAt: new Date(Date.now() + CAPTCHA_SECONDS * 1000),
      hmacSignatureSecret: this.#secret,
      hmacKeySignatureSecret: `${this.#secret}.key`,
      data: { id: randomBytes(16).toString("base64url") },
    });
  }

  /** The solved challenge in the request's header; refuses without one. */
  async solvedBy(headers: PublicCtx["headers"]): Promise<SolvedCaptcha> {
    const payload = headers["captcha-verification"];
    const solved = typeof payload === "string" ? await this.verify(payload) : null;
    return solved ?? refuse("CAPTCHA_INVALID");
  }

  /** The solved challenge, or null when the payload is not a valid solution. */
  async verify(payload: string): Promise<SolvedCaptcha | null> {
    try {
      const { challenge, solution } = JSON.parse(Buffer.from(payload, "base64").toString("utf8"));
      const result = await verifySolution({
        challenge,
        solution,
        deriveKey,
        hmacSignatureSecret: this.#secret,
        hmacKeySignatureSecret: `${this.#secret}.key`,
      });
      const { data, cost } = challenge.parameters;
      const id: unknown = data?.id;
      return result.verified && typeof id === "string" ? { id, cost } : null;
    } catch {
      return null;
    }
  }
}

/** Refuses a challenge that was used before. */
export async function useOnce(db: Db, { id }: SolvedCaptcha): Promise<void> {
  if (!(await useCaptcha(db, id, CAPTCHA_SECONDS))) refuse("CAPTCHA_INVALID");
}
