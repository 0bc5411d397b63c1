// How a cabinet gets its secret: a code that a person types, and a claim that the cabinet makes.
import { randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { CabinetSideField, CompartmentNo, UnixMs } from "./fields.ts";
import { KID_PATTERN } from "./keys.ts";

/** Crockford's base 32: no I, L, O, U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 16;
const GROUP_LENGTH = 4;

/** An activation code as it is compared: 16 characters, 80 bits, without hyphens. */
export const ACTIVATION_CODE_PATTERN = "^[0-9A-HJKMNP-TV-Z]{16}$";
/** What a cabinet names itself by while it activates: 16 random bytes as base64url. */
export const ACTIVATION_CLAIM_PATTERN = "^[A-Za-z0-9_-]{22}$";

const codeRegExp = new RegExp(ACTIVATION_CODE_PATTERN);

/** A fresh activation code, in its plain form. */
export function newActivationCode(): string {
  return Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % 32]).join("");
}

/** `K7QX-2M0V-9TAB-RZ4H`, as it is shown and printed. */
export function formatActivationCode(code: string): string {
  return (code.match(new RegExp(`.{1,${GROUP_LENGTH}}`, "g")) ?? []).join("-");
}

/**
 * What was typed in its plain form: upper case, without hyphens and blanks, O read as 0, I and L
 * as 1. Undefined when that is no activation code. Never throws.
 */
export function parseActivationCode(typed: string): string | undefined {
  if (typed.length > 64) return undefined;
  const plain = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return codeRegExp.test(plain) ? plain : undefined;
}

/** A fresh claim. The cabinet keeps it on its storage before it first asks. */
export function newActivationClaim(): string {
  return randomBytes(16).toString("base64url");
}

/** What the server answers: the cabinet's secret, where to connect, and which door hangs on which lock. */
export const ActivationReply = Type.Object({
  kid: Type.String({ pattern: KID_PATTERN }),
  /** As made by `newCabinetSecret`. */
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

/** Validates `data` of the reply; unknown fields fall away. Undefined when it is not one. Never throws. */
export function parseActivationReply(value: unknown): ActivationReply | undefined {
  return replyValidator.Check(value) ? (replyValidator.Clean(value) as ActivationReply) : undefined;
}
