// Ordered checks that a third party's request must pass; the gatekeeper and the signature debugger
// share them.

import type { OpenRefusal } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import {
  isFresh,
  isSignature,
  parseAuthorization,
  type SignedClaim,
  type SignedRequest,
  stringToSign,
} from "@cabinet/open-api-client";
import type { CallingApp } from "./partner-gate.sql.ts";

/** Facts about a request that the checks evaluate. */
export interface Evidence {
  claim: SignedClaim | null;
  /** Unix time in seconds. */
  now: number;
  /** Null: no such application. */
  app: CallingApp | null;
  /** Null if unknown, which passes the check. */
  isFromAllowedNetwork: boolean | null;
  /** Null if there is no such key or it has ended. */
  secret: string | null;
  text: string | null;
}

/** Without a key the HMAC is calculated with this one: constant work against timing attacks. */
const NOBODYS_SECRET = "cabsk_nobody";

export const checks: { step: OpenRefusal; isOk: (evidence: Evidence) => boolean }[] = [
  { step: "SYNTAX", isOk: ({ claim }) => claim !== null },
  { step: "TIME", isOk: ({ claim, now }) => claim !== null && isFresh(claim, now) },
  { step: "APP_DISABLED", isOk: ({ app }) => app !== null && !app.isDisabled },
  { step: "KEY_UNKNOWN", isOk: ({ app }) => app?.key != null },
  { step: "KEY_ENDED", isOk: ({ app }) => app?.key?.isInForce === true },
  { step: "NETWORK", isOk: ({ isFromAllowedNetwork }) => isFromAllowedNetwork !== false },
  {
    step: "SIGNATURE",
    isOk: ({ claim, secret, text }) =>
      isSignature(secret ?? NOBODYS_SECRET, text ?? "", claim?.sig ?? "") && secret !== null,
  },
];

/**
 * The first failed check; all checks run, so that the response time does not reveal which one
 * failed.
 */
export function firstFailure(evidence: Evidence): OpenRefusal | null {
  const failed = checks.filter(({ isOk }) => !isOk(evidence));
  return failed[0]?.step ?? null;
}

/** Parses the claim and builds the string to sign; null if the header is malformed. */
export function readClaim(
  headers: { authorization: string; host: string; contentType: string; idempotencyKey: string },
  rest: { method: string; target: string; body: Buffer },
): { claim: SignedClaim; request: SignedRequest; text: string } | null {
  const claim = parseAuthorization(headers.authorization);
  if (!claim) return null;
  const { host, contentType, idempotencyKey } = headers;
  const request = { ...rest, host, contentType, idempotencyKey };
  return { claim, request, text: stringToSign(request, claim) };
}
