// Limits on wrong pickup codes: by network, and by the end of a phone over all networks. A cabinet is never blocked.
import {
  WRONG_CODES_OF_TAIL,
  WRONG_CODES_PER_ADDRESS,
} from "@cabinet/contract/orders/app/app.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { countAsked } from "../../../platform/limits/rate-limit.sql.ts";
import { countTry, takeBackTry } from "../../../platform/limits/throttle.sql.ts";
import { type SolvedCaptcha, useOnce } from "../../identity/auth/index.ts";

interface Try {
  /** As given by the client; unknown cabinets are counted and answered alike. */
  sn: string;
  /** The client's network (`networkOf`). */
  network: string;
  /** End of the phone, or the whole. */
  phoneTail: string;
}

const TAIL_DIGITS = 4;
const WINDOW_SECONDS = WRONG_CODES_OF_TAIL.days * 86_400;

const networkKey = ({ sn, network }: Try) => `pickup:${sn}:${network}`;
const tailKey = ({ sn, phoneTail }: Try) => `pickup:${sn}:${phoneTail.slice(-TAIL_DIGITS)}`;

/**
 * Counts a try before its code is looked at; a refusal rolls the count back. Returns the seconds for which the network is
 * blocked if the code is wrong.
 */
export async function admitTry(
  db: Db,
  at: Try,
  solvedCaptcha: () => Promise<SolvedCaptcha>,
): Promise<number> {
  const { isRefused, seconds } = await countTry(db, networkKey(at), WRONG_CODES_PER_ADDRESS);
  if (isRefused) refuse("PICKUP_BLOCKED", { seconds });
  const { asked } = await countAsked(db, tailKey(at), WINDOW_SECONDS);
  if (asked > WRONG_CODES_OF_TAIL.withTail && at.phoneTail.length === TAIL_DIGITS) {
    refuse("PICKUP_PHONE_DUE");
  }
  if (asked > WRONG_CODES_OF_TAIL.free) await useOnce(db, await solvedCaptcha());
  return seconds;
}

/** The try was no wrong code. A pickup also forgives the typos of its person. */
export async function takeBack(db: Db, at: Try, isPickup: boolean): Promise<void> {
  await takeBackTry(db, networkKey(at));
  const more = isPickup ? WRONG_CODES_OF_TAIL.forgivenByPickup : 0;
  await countAsked(db, tailKey(at), WINDOW_SECONDS, -1 - more);
}
