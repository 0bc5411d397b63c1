// Prometheus metrics of subscribe messages: queue length and age.
import type { Database } from "../../../platform/db/db.ts";
import { messageQueue } from "../../../platform/metrics.ts";
import { measureSubscribeQueue } from "./subscribe-message.sql.ts";

export async function measureSubscribe(database: Database): Promise<void> {
  const { waiting, oldestSeconds } = await database.read("platform", measureSubscribeQueue);
  messageQueue.subscribeWaiting.set(waiting);
  messageQueue.subscribeOldestSeconds.set(oldestSeconds);
}
