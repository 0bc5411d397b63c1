// Activation: a cabinet exchanges a code typed by a person and its own claim for its secret.
import { randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { CabinetSideField, CompartmentNo, UnixMs } from "./fields.ts";
import { KID_PATTERN } from "./keys.ts";

/** Crockford's base 32: no I, L, O, U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 16;
const GROUP_LENGTH = 4;

/** Normalised activation code: 16 characters, 80 bits, without hyphens. */
const ACTIVATION_CODE_PATTERN = "^[0-9A-HJKMNP-TV-Z]{16}$";
/** Claim: identifies a cabinet during activation; 16 random bytes as base64url. */
export const ACTIVATION_CLAIM_PATTERN = "^[A-Za-z0-9_-]{22}$";

const codeRegExp = new RegExp(ACTIVATION_CODE_PATTERN);

/** Generates an activation code in its normalised form. */
export function newActivationCode(): string {
  return Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % 32]).join("");
}

/** Formats a code for display and print: `K7QX-2M0V-9TAB-RZ4H`. */
export function formatActivationCode(code: string): string {
  return (code.match(new RegExp(`.{1,${GROUP_LENGTH}}`, "g")) ?? []).join("-");
}

/**
 * Normalises a typed code: upper case, without hyphens and blanks, O read as 0, I and L as 1.
 * Undefined when it is not an activation code. Never throws.
 */
export function parseActivationCode(typed: string): string | undefined {
  if (typed.length > 64) return undefined;
  const plain = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return codeRegExp.test(plain) ? plain : undefined;
}

/** Generates a claim. The cabinet must persist it before its first request. */
export function newActivationClaim(): string {
  return randomBytes(16).toString("base64url");
}

/** Reply to an activation: secret, broker address, and the lock of each door. */
export const ActivationReply = Type.Object({
  kid: Type.String({ pattern: KID_PATTERN }),
  /** Secret in the form of `newCabinetSecret`. */
  secret: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" }),
  /** Unix milliseconds. */
  serverTime: UnixMs,
  /** Address of the broker: `mqtt://127.0.0.1:1883`. */
  mqtt: Type.String({ pattern: "^mqtts?://" }),
  side: CabinetSideField,
  compartments: Type.Array(
    Type.Object({ no: CompartmentNo, boardAddress: Type.String({ maxLength: 64 }) }),
    { maxItems: 999 },
  ),
});
export type ActivationReply = Static<typeof ActivationReply>;

const replyValidator = Compile(ActivationReply);

/**
 * Validates `data` of the reply; drops unknown fields. Undefined when it is invalid. Never throws.
 */
export function parseActivationReply(value: unknown): ActivationReply | undefined {
  return replyValidator.Check(value) ? (replyValidator.Clean(value) as ActivationReply) : undefined;
}
