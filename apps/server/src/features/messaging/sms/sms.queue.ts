// Queues the network jobs of text messages: no transaction waits for a carrier.
import type { Db } from "../../../platform/db/db.ts";
import { addJob } from "../../../platform/jobs/jobs.ts";

export const SEND = "sms.send";
export const CHECK_CHANNEL = "sms.checkChannel";

/** Queues a run for all due messages; the job key merges repeated requests. */
export function sendSoon(db: Db): Promise<void> {
  return addJob(db, SEND, {}, SEND);
}

/** Like `sendSoon`, with a delay until the next retry; its own job key leaves an immediate run untouched. */
export function sendLater(db: Db, seconds: number): Promise<void> {
  return addJob(db, SEND, {}, `${SEND}.later`, seconds);
}

export function checkChannelSoon(db: Db): Promise<void> {
  return addJob(db, CHECK_CHANNEL, {}, CHECK_CHANNEL);
}
