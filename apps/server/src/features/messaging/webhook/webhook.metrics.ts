// Exports webhook queue metrics: deliveries waiting, age of the oldest, number given up.
import type { Database } from "../../../platform/db/db.ts";
import { webhookQueue } from "../../../platform/metrics.ts";
import { measureQueue } from "./outbox.sql.ts";

export async function measureWebhooks(database: Database): Promise<void> {
  const { waiting, oldestSeconds, dead } = await database.read("platform", measureQueue);
  webhookQueue.waiting.set(waiting);
  webhookQueue.oldestSeconds.set(oldestSeconds);
  webhookQueue.dead.set(dead);
}
