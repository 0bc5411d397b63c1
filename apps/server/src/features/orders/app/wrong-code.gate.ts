// Rate limit for wrong pickup codes, per address and per cabinet.
import {
  WRONG_CODES_PER_ADDRESS,
  WRONG_CODES_PER_CABINET,
} from "@cabinet/contract/orders/app/app.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { blockedSeconds, recordFailure } from "../../../platform/limits/throttle.sql.ts";

interface Place {
  /** As given by the client; unknown cabinets are counted and answered alike. */
  sn: string;
  /** The client's network (`networkOf`). */
  network: string;
}

const addressKey = ({ sn, network }: Place) => `pickup:${sn}:${network}`;
const cabinetKey = ({ sn }: Place) => `pickup:${sn}`;

export function secondsBlocked(db: Db, place: Place): Promise<number> {
  return blockedSeconds(db, [addressKey(place), cabinetKey(place)]);
}

/** Records a wrong code; returns the seconds for which this address, or the cabinet, is blocked. */
export async function countWrongCode(db: Db, place: Place): Promise<number> {
  const own = await recordFailure(db, [addressKey(place)], WRONG_CODES_PER_ADDRESS);
  const all = await recordFailure(db, [cabinetKey(place)], WRONG_CODES_PER_CABINET);
  return Math.max(own, all);
}
