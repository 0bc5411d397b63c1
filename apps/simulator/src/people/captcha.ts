// Solves the proof of work that sign-in and text messages ask for.
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { callServer, type Headers } from "./http.ts";

/** The header of one call. */
export async function solvedCaptcha(server: string): Promise<Headers> {
  const challenge = await callServer(server, authContract.captcha, { query: {} });
  const solution = await solveChallenge({ challenge: challenge as never, deriveKey });
  const payload = Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
  return { "captcha-verification": payload };
}
