// Exports webhook queue metrics: deliveries waiting, age of the oldest, number given up.
import type { Database } from "../../platform/db.ts";
import { callbackQueue } from "../../platform/metrics.ts";
import { measureQueue } from "./outbox.sql.ts";

export async function measureCallbacks(database: Database): Promise<void> {
  const { waiting, oldestSeconds, dead } = await database.read("platform", measureQueue);
  callbackQueue.waiting.set(waiting);
  callbackQueue.oldestSeconds.set(oldestSeconds);
  callbackQueue.dead.set(dead);
}
