// Password strength (promise A5): the shared rules, then an estimate of how soon guessing finds the password.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { guessableText, passwordWeakness } from "@cabinet/contract/identity/auth/password.rules.ts";
import { type Session, shareOfSession } from "../../../platform/context.ts";
import { Places } from "../../../platform/db/places.ts";
import { hashPassword, ownShare } from "./password.crypto.ts";
import type { Judged, Judgement } from "./password-strength.worker.ts";

/** Score of the estimate: 3 means more than 10⁸ guesses. */
const LEAST_SCORE = 3;
/** Least of the estimate by parts: 10¹⁰ guesses. */
const LEAST_DIGITS = 10;
/** Longer passwords are judged by their beginning: the estimate takes time with the square of the length. */
const JUDGED_LENGTH = 48;
/** The dictionaries take 50 MB. */
const IDLE_MS = 60_000;

let thread: Worker | undefined;
let ending: NodeJS.Timeout | undefined;

/**
 * The thread loads dictionaries for 0.7 s and estimates for 0.1 s, which doors and calls must not wait for. It starts with
 * the first password and ends when none has come for a minute.
 */
async function judge(judged: Judged): Promise<Judgement> {
  clearTimeout(ending);
  thread ??= startThread();
  const used = thread;
  used.ref();
  try {
    used.postMessage(judged);
    const [judgement] = await once(used, "message");
    return judgement;
  } finally {
    used.unref();
    ending = setTimeout(end, IDLE_MS).unref();
  }
}

function startThread(): Worker {
  const started = new Worker(new URL("password-strength.worker.ts", import.meta.url));
  // The password under way is refused with this error, the next one starts a thread again.
  started.on("error", () => {
    thread = undefined;
  });
  return started;
}

function end(): void {
  void thread?.terminate();
  thread = undefined;
}

const OWN_PATIENCE_MS = 600_000;
/** As long as a call may take: on a busy machine the thread itself needs some seconds to start. */
const CALL_PATIENCE_MS = 8_000;
/** One after the other, tenants in turn: an answer does not say which password it is for. */
const places = new Places(1, OWN_PATIENCE_MS, CALL_PATIENCE_MS);

/** Names of the person that a stranger knows and would try first. */
export interface PasswordOwner {
  username: string;
  displayName?: string;
  tenantName?: string;
}

/** The rule that the password does not meet, and what to do; null when it meets all. */
export async function weaknessOf(
  password: string,
  owner: PasswordOwner,
  share = ownShare,
): Promise<string | null> {
  const { username, displayName = "", tenantName = "" } = owner;
  const weakness = passwordWeakness(password, username);
  if (weakness) return weakness;
  const names = [displayName, tenantName];
  const judged = { password: password.slice(0, JUDGED_LENGTH), username, names };
  const { score, parts } = await places.use({ share }, () => judge(judged));
  if (score >= LEAST_SCORE && parts.digits >= LEAST_DIGITS) return null;
  return guessableText(parts.kinds);
}

/** Password that somebody chose for another's account. */
export interface ChosenPassword {
  /** Empty for a weak one. */
  passwordHash: string;
  /** Rule that it does not meet; null: none. */
  weakness: string | null;
}

/** Judges and hashes a password, which takes long: before the transaction that stores it. */
export async function takePassword(
  password: string,
  owner: PasswordOwner,
  session: Session,
): Promise<ChosenPassword> {
  const share = shareOfSession(session);
  const weakness = await weaknessOf(password, owner, share);
  return { weakness, passwordHash: weakness ? "" : await hashPassword(password, share) };
}
