// Web worker that solves the captcha's proof of work and returns the payload of the header.
import { solveChallenge } from "altcha-lib";
import type { Challenge } from "altcha-lib/types";
import { pbkdf2Sha256 } from "./pbkdf2.rules.ts";

/** Payload, or null if the challenge cannot be solved. */
export type CaptchaAnswer = string | null;

self.onmessage = async ({ data: challenge }: MessageEvent<Challenge>) => {
  const solution = await solveChallenge({
    challenge,
    deriveKey: async ({ cost, keyLength = 32 }, salt, password) => ({
      derivedKey: pbkdf2Sha256(password, salt, cost, keyLength),
    }),
  });
  const answer: CaptchaAnswer = solution && btoa(JSON.stringify({ challenge, solution }));
  self.postMessage(answer);
};
