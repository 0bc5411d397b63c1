// Limits on wrong passwords (promises A2, N2). What strangers do never refuses the owner's right password.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Db } from "../../../platform/db/db.ts";
import { Refusal } from "../../../platform/errors.ts";
import {
  blockedSeconds,
  extendBlock,
  failuresOf,
  forgetFailuresUnder,
  recordFailure,
} from "../../../platform/limits/throttle.sql.ts";
import { captchaLevel, FAILURES_PER_NETWORK } from "./auth.rules.ts";

/** Counters of one caller's tries. */
export interface Tries {
  /** Blocked after five failures: the browser that has signed in before, or the account from one network. */
  own: string;
  /** Blocked later, because many people may share a network; null for a known browser. */
  network: string | null;
  /** Never blocked: its failures make the captcha harder; null where they do not count. */
  account: string | null;
}

/** Hashed, because people type passwords into the account field. */
export function accountKeyOf(username: string): string {
  return `account:${createHash("sha256").update(username.toLowerCase()).digest("base64url")}`;
}

export function triesOf(
  username: string,
  { network, device }: { network: string; device: string | null },
): Tries {
  const account = accountKeyOf(username);
  if (device) return { own: `${account}:device:${device}`, network: null, account: null };
  return { own: `${account}:network:${network}`, network: `address:${network}`, account };
}

/** Tries to change a password: of the living session alone. */
export function triesOfSession(username: string, tokenHash: Buffer): Tries {
  const own = `${accountKeyOf(username)}:session:${tokenHash.toString("base64url")}`;
  return { own, network: null, account: null };
}

/** The refusal of a blocked caller, or null. */
export async function refusalOf(db: Db, { own, network }: Tries): Promise<Refusal | null> {
  const seconds = await blockedSeconds(db, network === null ? [own] : [own, network]);
  return seconds > 0 ? new Refusal("SIGN_IN_THROTTLED", { seconds }) : null;
}

/** Counts a wrong password; returns the refusal if the caller is blocked from now on. */
export async function countWrong(
  db: Db,
  { own, network, account }: Tries,
): Promise<Refusal | null> {
  let seconds = await recordFailure(db, [own]);
  if (network !== null) {
    seconds = Math.max(seconds, await recordFailure(db, [network], FAILURES_PER_NETWORK));
  }
  if (account !== null) {
    await recordFailure(db, [account], Number.POSITIVE_INFINITY);
    // Shown to those who look after accounts.
    if (seconds > 0) await extendBlock(db, account, seconds);
  }
  return seconds > 0 ? new Refusal("SIGN_IN_THROTTLED", { seconds }) : null;
}

/** Lifts all blocks of the account. Those of networks remain: they cover tries on other accounts, too. */
export function forgetWrongPasswords(db: Db, username: string): Promise<void> {
  return forgetFailuresUnder(db, accountKeyOf(username));
}

/** Level of the captcha for this account: also for one that does not exist. */
export async function levelOf(db: Db, username: string): Promise<number> {
  return captchaLevel(await failuresOf(db, accountKeyOf(username)));
}

const NONCE_BYTES = 16;

export function makeDeviceId(): string {
  return randomBytes(NONCE_BYTES).toString("base64url");
}

function proofOf(secret: string, username: string, nonce: string): Buffer {
  return createHmac("sha256", secret).update(`${username.toLowerCase()}/${nonce}`).digest();
}

/** Token by which a browser that has signed in is known again. It is worth nothing but its own counter. */
export function makeDeviceToken(secret: string, username: string, nonce: string): string {
  return `${nonce}.${proofOf(secret, username, nonce).toString("base64url")}`;
}

/** The browser's id; null for a token that is not ours, or of another account. */
export function deviceOf(
  secret: string,
  username: string,
  token: string | undefined,
): string | null {
  const [nonce = "", proof = ""] = token?.split(".") ?? [];
  const expected = proofOf(secret, username, nonce);
  const given = Buffer.from(proof, "base64url");
  return given.length === expected.length && timingSafeEqual(given, expected) ? nonce : null;
}
