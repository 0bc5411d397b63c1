// Signs in as a browser does, captcha included.
import { randomInt } from "node:crypto";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import type { TestServer } from "./test-server.ts";

/** With an account, as hard as it demands. */
export async function solvedCaptcha(testServer: TestServer, username?: string): Promise<string> {
  const query = username === undefined ? {} : { username };
  const { data } = await testServer.call(authContract.captcha, null, { query });
  const challenge = data as unknown as Parameters<typeof solveChallenge>[0]["challenge"];
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}

/**
 * Signs in from a random address unless one is given, so that rate limits of tests do not add up.
 */
export async function signIn(
  testServer: TestServer,
  account: Input<typeof authContract.login>["body"],
  { captcha, address }: { captcha?: string | undefined; address?: string | undefined } = {},
) {
  return testServer.call(authContract.login, null, {
    body: account,
    headers: {
      "captcha-verification": captcha ?? (await solvedCaptcha(testServer)),
      "x-forwarded-for": address ?? `198.51.${randomInt(256)}.${randomInt(256)}`,
    },
  });
}
