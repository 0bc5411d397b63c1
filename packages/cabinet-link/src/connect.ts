// MQTT password: a single-use proof that the cabinet holds its secret.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type CabinetKeys, isKid } from "./keys.ts";

/** A nonce of `GET /device/v1/challenge`: 16 to 48 random bytes as base64url. */
export const NONCE_PATTERN = "^[A-Za-z0-9_-]{22,64}$";

const nonceRegExp = new RegExp(NONCE_PATTERN);
const macRegExp = /^[A-Za-z0-9_-]{43}$/;

/** Parts of `v1.{kid}.{nonce}.{mac}`; well formed, not yet verified. */
export interface ConnectPassword {
  readonly kid: string;
  readonly nonce: string;
  readonly mac: string;
}

/** Generates a nonce: 16 random bytes as 22 characters of base64url. */
export function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

function connectMac(cabinetId: string, kid: string, nonce: string, key: Uint8Array): string {
  return createHmac("sha256", key)
    .update(`c1-connect\n${cabinetId}\n${kid}\n${nonce}`)
    .digest("base64url");
}

/** Builds the MQTT password of one connection: `v1.kid.nonce.base64url(HMAC(K_connect, …))`. */
export function makeConnectPassword(from: {
  readonly cabinetId: string;
  readonly kid: string;
  readonly nonce: string;
  readonly keys: Pick<CabinetKeys, "connect">;
}): string {
  const mac = connectMac(from.cabinetId, from.kid, from.nonce, from.keys.connect);
  return `v1.${from.kid}.${from.nonce}.${mac}`;
}

/** Splits a password into its parts; `undefined` if it is malformed. Never throws. */
export function parseConnectPassword(password: string): ConnectPassword | undefined {
  if (password.length > 256) return undefined;
  const [version, kid, nonce, mac, ...rest] = password.split(".");
  if (version !== "v1" || rest.length > 0 || !kid || !nonce || !mac) return undefined;
  if (!isKid(kid) || !nonceRegExp.test(nonce) || !macRegExp.test(mac)) return undefined;
  return { kid, nonce, mac };
}

/**
 * True if the proof was made for this cabinet with this key; compares in constant time.
 * The caller must then consume the nonce, and refuse one that was used or has expired.
 */
export function verifyConnectPassword(
  cabinetId: string,
  password: ConnectPassword,
  keys: Pick<CabinetKeys, "connect">,
): boolean {
  const expected = Buffer.from(connectMac(cabinetId, password.kid, password.nonce, keys.connect));
  const given = Buffer.from(password.mac);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
