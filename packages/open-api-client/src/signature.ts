// CAB1-HMAC-SHA256: builds, creates and verifies request signatures.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export const SCHEME = "CAB1-HMAC-SHA256";
/** Largest clock difference between both sides, in seconds. */
export const MAX_SKEW_SECONDS = 300;

/** Request as sent. */
export interface SignedRequest {
  method: string;
  /** Value of the `Host` header, including a port. */
  host: string;
  /** Path and query exactly as sent. */
  target: string;
  /** Content-Type as sent; empty if absent. */
  contentType: string;
  /** Idempotency-Key as sent; empty if absent. */
  idempotencyKey: string;
  /** Raw bytes; text is encoded as UTF-8. */
  body: Uint8Array | string;
}

/** Signing key, time and nonce of a request. */
export interface Claim {
  app: string;
  kid: string;
  /** Unix time in seconds. */
  ts: number;
  /** At least 128 random bits as base64url, used once. */
  nonce: string;
}

export interface SignedClaim extends Claim {
  /** HMAC-SHA256 as base64. */
  sig: string;
}

/**
 * SHA-256 of the bytes as sent, 64 lower-case hex digits; without a body that of the empty string.
 */
export function bodyHash(body: Uint8Array | string): string {
  return createHash("sha256").update(body).digest("hex");
}

/** Nine lines, each terminated by a line feed. */
export function stringToSign(request: SignedRequest, { ts, nonce }: Claim): string {
  const lines = [
    SCHEME,
    request.method.toUpperCase(),
    request.host.toLowerCase(),
    request.target,
    request.contentType,
    String(ts),
    nonce,
    request.idempotencyKey,
    bodyHash(request.body),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** base64(HMAC-SHA256(secret, text)); the key is the secret's text as shown, in UTF-8. */
export function signatureOf(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64");
}

/** Generates a nonce: 128 bits of the system's randomness as 22 characters of base64url. */
export function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

/** Builds the `Authorization` header of a request. */
export function authorize(request: SignedRequest, claim: Claim, secret: string): string {
  const { app, kid, ts, nonce } = claim;
  const sig = signatureOf(secret, stringToSign(request, claim));
  return `${SCHEME} app=${app},kid=${kid},ts=${ts},nonce=${nonce},sig=${sig}`;
}

const AUTHORIZATION =
  /^CAB1-HMAC-SHA256 app=(app_[0-9a-z]{16}),kid=([0-9a-z-]{4,32}),ts=([1-9]\d{9}),nonce=([A-Za-z0-9_-]{22,64}),sig=([A-Za-z0-9+/]{43}=)$/;

/** Parses the header; null unless it has exactly this form. */
export function parseAuthorization(header: string): SignedClaim | null {
  const [, app = "", kid = "", ts = "", nonce = "", sig = ""] = AUTHORIZATION.exec(header) ?? [];
  // Accepts only the canonical base64 of the 32 bytes.
  if (app === "" || Buffer.from(sig, "base64").toString("base64") !== sig) return null;
  return { app, kid, ts: Number(ts), nonce, sig };
}

/** Compares in constant time. */
export function isSignature(secret: string, text: string, sig: string): boolean {
  const expected = createHmac("sha256", secret).update(text).digest();
  const given = Buffer.from(sig, "base64");
  return timingSafeEqual(expected, given.length === expected.length ? given : Buffer.alloc(32));
}

/** True if `ts` is within MAX_SKEW_SECONDS of `now`, in unix seconds. */
export function isFresh({ ts }: Claim, now: number): boolean {
  return Math.abs(now - ts) <= MAX_SKEW_SECONDS;
}

export type Verdict = "OK" | "SYNTAX" | "TIME" | "KEY" | "SIGNATURE";

/**
 * Verifies a request in this order: header form, clock, key, signature.
 * The caller must then check that the nonce is new.
 */
export function verifyRequest(
  request: SignedRequest & { authorization: string },
  parts: { secretOf: (app: string, kid: string) => string | null; now: number },
): Verdict {
  const claim = parseAuthorization(request.authorization);
  if (!claim) return "SYNTAX";
  if (!isFresh(claim, parts.now)) return "TIME";
  const secret = parts.secretOf(claim.app, claim.kid);
  if (secret === null) return "KEY";
  return isSignature(secret, stringToSign(request, claim), claim.sig) ? "OK" : "SIGNATURE";
}
