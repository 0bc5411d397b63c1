// What is asked of carriers once a transaction has committed: the network is never waited for inside of one.
import type { Db } from "../../platform/db.ts";
import { addJob } from "../../platform/jobs.ts";

export const SEND = "sms.send";
export const CHECK_CHANNEL = "sms.checkChannel";

/** Sends whatever is due; many wishes become one job. */
export function sendSoon(db: Db): Promise<void> {
  return addJob(db, SEND, {}, SEND);
}

/** As `sendSoon`, once the next try is due; it takes nothing from a wish for now. */
export function sendLater(db: Db, seconds: number): Promise<void> {
  return addJob(db, SEND, {}, `${SEND}.later`, seconds);
}

export function checkChannelSoon(db: Db): Promise<void> {
  return addJob(db, CHECK_CHANNEL, {}, CHECK_CHANNEL);
}
