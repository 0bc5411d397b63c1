// Identity of a cabinet: its id, its secret and the three keys derived from the secret.
import { hkdfSync, randomBytes } from "node:crypto";

/** MQTT client id and user name of a cabinet. */
export const CABINET_ID_PATTERN = "^[A-Z0-9]{8,32}$";
/** Id of one of a cabinet's (at most two) secrets. */
export const KID_PATTERN = "^[A-Za-z0-9_-]{1,16}$";

const cabinetIdRegExp = new RegExp(CABINET_ID_PATTERN);
const kidRegExp = new RegExp(KID_PATTERN);
const secretRegExp = /^[A-Za-z0-9_-]{43}$/;

/** Keys derived from one secret, 32 bytes each. */
export interface CabinetKeys {
  /** Signs the connect password. */
  readonly connect: Buffer;
  /** Signs messages of the server (`dn/…`). */
  readonly down: Buffer;
  /** Signs messages of the cabinet (`up/…`). */
  readonly up: Buffer;
}

/** True if the text has the form of a cabinet id; does not check that the cabinet exists. */
export function isCabinetId(value: string): boolean {
  return cabinetIdRegExp.test(value);
}

/** True if the text has the form of a kid; does not check that the secret exists. */
export function isKid(value: string): boolean {
  return kidRegExp.test(value);
}

/** Generates a cabinet secret: 32 random bytes as 43 characters of base64url without padding. */
export function newCabinetSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** True if `secret` has the form that `newCabinetSecret` makes. */
function isCabinetSecret(secret: string): boolean {
  return secretRegExp.test(secret);
}

/**
 * HKDF-SHA256 (RFC 5869): key material = the 32 decoded bytes, salt = empty, 32 bytes out, info =
 * `cabinet-link/c1/connect`, `cabinet-link/c1/down`, `cabinet-link/c1/up`.
 * Throws `TypeError` if the secret is not 43 characters of base64url.
 */
export function deriveKeys(secret: string): CabinetKeys {
  if (!isCabinetSecret(secret)) throw new TypeError("a cabinet secret is 32 bytes of base64url");
  const material = Buffer.from(secret, "base64url");
  const derive = (use: string) =>
    Buffer.from(hkdfSync("sha256", material, "", `cabinet-link/c1/${use}`, 32));
  return { connect: derive("connect"), down: derive("down"), up: derive("up") };
}
