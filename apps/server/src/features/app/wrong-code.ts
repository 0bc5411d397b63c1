// Wrong pickup codes at a cabinet: who tries too many waits, and so does a cabinet that many try at.
import {
  WRONG_CODES_PER_ADDRESS,
  WRONG_CODES_PER_CABINET,
} from "@cabinet/contract/app/app.rules.ts";
import type { Db } from "../../platform/db.ts";
import { blockedSeconds, recordFailure } from "../../platform/throttle.sql.ts";

interface Place {
  /** As it was given: also of cabinets that do not exist, which are answered alike. */
  sn: string;
  /** From where they try (`networkOf`). */
  network: string;
}

const addressKey = ({ sn, network }: Place) => `pickup:${sn}:${network}`;
const cabinetKey = ({ sn }: Place) => `pickup:${sn}`;

export function secondsBlocked(db: Db, place: Place): Promise<number> {
  return blockedSeconds(db, [addressKey(place), cabinetKey(place)]);
}

/** For how many seconds nobody, or not this address, may try now. */
export async function countWrongCode(db: Db, place: Place): Promise<number> {
  const own = await recordFailure(db, [addressKey(place)], WRONG_CODES_PER_ADDRESS);
  const all = await recordFailure(db, [cabinetKey(place)], WRONG_CODES_PER_CABINET);
  return Math.max(own, all);
}
