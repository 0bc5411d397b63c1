// Web worker that solves the proof of work and returns the payload of the header.

import { pbkdf2 } from "@noble/hashes/pbkdf2.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { solveChallenge } from "altcha-lib";
import type { Challenge } from "altcha-lib/types";

self.onmessage = async ({ data: challenge }: MessageEvent<Challenge>) => {
  const solution = await solveChallenge({
    challenge,
    // crypto.subtle is missing on plain HTTP in a local network.
    deriveKey: async ({ cost, keyLength = 32 }, salt, password) => ({
      derivedKey: pbkdf2(sha256, password, salt, { c: cost, dkLen: keyLength }),
    }),
  });
  self.postMessage(solution && btoa(JSON.stringify({ challenge, solution })));
};
