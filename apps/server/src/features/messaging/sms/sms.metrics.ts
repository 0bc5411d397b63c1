// Prometheus metrics of text messages: queue length and age, state of the channel, tenants low on credit.
import { LOW_SEGMENTS } from "@cabinet/contract/messaging/sms/sms-credit.rules.ts";
import type { Database } from "../../../platform/db/db.ts";
import { messageQueue } from "../../../platform/metrics.ts";
import { measureSmsQueue } from "./sms-sending.sql.ts";

export async function measureSms(database: Database): Promise<void> {
  const figures = await database.read("platform", (db) => measureSmsQueue(db, LOW_SEGMENTS));
  messageQueue.smsWaiting.set(figures.waiting);
  messageQueue.smsOldestSeconds.set(figures.oldestSeconds);
  messageQueue.smsUncertain.set(figures.uncertain);
  messageQueue.smsChannelFailing.set(figures.isChannelFailing ? 1 : 0);
  messageQueue.smsTenantsLow.set(figures.tenantsLow);
}
