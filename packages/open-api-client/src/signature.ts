// CAB1-HMAC-SHA256: what a request's signature is made of, making it, and looking at one.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export const SCHEME = "CAB1-HMAC-SHA256";
/** How far the clocks of both sides may be apart. */
export const MAX_SKEW_SECONDS = 300;

/** A request as it travels. */
export interface SignedRequest {
  method: string;
  /** As in the `Host` header, port included where it has one. */
  host: string;
  /** Path and query exactly as sent. */
  target: string;
  /** As sent; empty where there is none. */
  contentType: string;
  /** As sent; empty where there is none. */
  idempotencyKey: string;
  /** The raw bytes; text counts as UTF-8. */
  body: Uint8Array | string;
}

/** Which key signs, and what makes the request one of a kind. */
export interface Claim {
  app: string;
  kid: string;
  /** Unix time in seconds. */
  ts: number;
  /** At least 128 random bits as base64url, never used twice. */
  nonce: string;
}

export interface SignedClaim extends Claim {
  /** HMAC-SHA256 as base64. */
  sig: string;
}

/** SHA-256 of the bytes as they are sent, 64 lower-case hex digits; of no body, that of nothing. */
export function bodyHash(body: Uint8Array | string): string {
  return createHash("sha256").update(body).digest("hex");
}

/** Nine lines, each of them ended by a line feed. */
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

/** base64(HMAC-SHA256(secret, text)); the key is the secret's text as it was shown, as UTF-8. */
export function signatureOf(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64");
}

/** 22 characters of base64url, 128 bits from the system's own randomness. */
export function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

/** The `Authorization` header of a request. */
export function authorize(request: SignedRequest, claim: Claim, secret: string): string {
  const { app, kid, ts, nonce } = claim;
  const sig = signatureOf(secret, stringToSign(request, claim));
  return `${SCHEME} app=${app},kid=${kid},ts=${ts},nonce=${nonce},sig=${sig}`;
}

const AUTHORIZATION =
  /^CAB1-HMAC-SHA256 app=(app_[0-9a-z]{16}),kid=([0-9a-z-]{4,32}),ts=([1-9]\d{9}),nonce=([A-Za-z0-9_-]{22,64}),sig=([A-Za-z0-9+/]{43}=)$/;

/** Null where it is not written exactly so. */
export function parseAuthorization(header: string): SignedClaim | null {
  const [, app = "", kid = "", ts = "", nonce = "", sig = ""] = AUTHORIZATION.exec(header) ?? [];
  // Of the ways to write the same 32 bytes only one counts.
  if (app === "" || Buffer.from(sig, "base64").toString("base64") !== sig) return null;
  return { app, kid, ts: Number(ts), nonce, sig };
}

/** Takes the same time whatever is wrong with it. */
export function isSignature(secret: string, text: string, sig: string): boolean {
  const expected = createHmac("sha256", secret).update(text).digest();
  const given = Buffer.from(sig, "base64");
  return timingSafeEqual(expected, given.length === expected.length ? given : Buffer.alloc(32));
}

/** `now` in unix seconds. */
export function isFresh({ ts }: Claim, now: number): boolean {
  return Math.abs(now - ts) <= MAX_SKEW_SECONDS;
}

export type Verdict = "OK" | "SYNTAX" | "TIME" | "KEY" | "SIGNATURE";

/**
 * What a server makes of a request, in the order in which it looks: how the header is written, the
 * clock, the key, the signature. That the nonce is new is the caller's to check after that.
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
