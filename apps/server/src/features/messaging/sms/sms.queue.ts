// Queues the network jobs of text messages: no transaction waits for a carrier.
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { isCodeScenario } from "@cabinet/contract/messaging/sms/sms-sending.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { addJob } from "../../../platform/jobs/jobs.ts";

/** Codes. Releases before 0146 send everything by this job. */
export const SEND = "sms.send";
export const SEND_NOTICES = "sms.sendNotices";
export const CHECK_CHANNEL = "sms.checkChannel";

/** Queues a run for due messages of this kind; the job key merges repeated requests. */
export function sendSoon(db: Db, scene: MessageScenario): Promise<void> {
  const task = isCodeScenario(scene) ? SEND : SEND_NOTICES;
  return addJob(db, task, {}, task);
}

export async function sendAllSoon(db: Db): Promise<void> {
  for (const task of [SEND, SEND_NOTICES]) await addJob(db, task, {}, task);
}

export function checkChannelSoon(db: Db): Promise<void> {
  return addJob(db, CHECK_CHANNEL, {}, CHECK_CHANNEL);
}
