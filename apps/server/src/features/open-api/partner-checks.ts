// What is looked at before a third party's request is believed, in this order; the gate and the debugger share it.

import type { OpenRefusal } from "@cabinet/contract/open-api/open-api.rules.ts";
import {
  isFresh,
  isSignature,
  parseAuthorization,
  type SignedClaim,
  type SignedRequest,
  stringToSign,
} from "@cabinet/open-api-client";
import type { CallingApp } from "./partner-gate.sql.ts";

/** Everything that is known when a request is looked at. */
export interface Evidence {
  claim: SignedClaim | null;
  /** Unix time in seconds. */
  now: number;
  /** Null: nobody's. */
  app: CallingApp | null;
  /** What the call needs; null: nothing in particular. */
  scope: string | null;
  /** Null where it is not known, then it is no objection. */
  isFromAllowedNetwork: boolean | null;
  /** Null where there is no such key, or it has ended. */
  secret: string | null;
  text: string | null;
}

/** Without a key the same work is done with this one, and the answer is no. */
const NOBODYS_SECRET = "cabsk_nobody";

export const checks: { step: OpenRefusal; isOk: (evidence: Evidence) => boolean }[] = [
  { step: "SYNTAX", isOk: ({ claim }) => claim !== null },
  { step: "TIME", isOk: ({ claim, now }) => claim !== null && isFresh(claim, now) },
  { step: "APP_DISABLED", isOk: ({ app }) => app !== null && !app.isDisabled },
  { step: "KEY_UNKNOWN", isOk: ({ app }) => app?.key != null },
  { step: "KEY_ENDED", isOk: ({ app }) => app?.key?.isInForce === true },
  {
    step: "SCOPE",
    isOk: ({ app, scope }) => scope === null || (app?.scopes.includes(scope) ?? false),
  },
  { step: "NETWORK", isOk: ({ isFromAllowedNetwork }) => isFromAllowedNetwork !== false },
  {
    step: "SIGNATURE",
    isOk: ({ claim, secret, text }) =>
      isSignature(secret ?? NOBODYS_SECRET, text ?? "", claim?.sig ?? "") && secret !== null,
  },
];

/** The first that fails; all of them are gone through, so that none takes less time than another. */
export function firstFailure(evidence: Evidence): OpenRefusal | null {
  const failed = checks.filter(({ isOk }) => !isOk(evidence));
  return failed[0]?.step ?? null;
}

/** Its claim and what it must have signed; null where its header is not written so. */
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
