// Migrates an empty database and seeds it as the first start of a server does.
import { pino } from "pino";
import { seedMenu } from "../../apps/server/src/features/identity/access/index.ts";
import { openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { migrate } from "../../apps/server/src/platform/db/migrate.ts";
import { migrateJobs } from "../../apps/server/src/platform/jobs/jobs.ts";

export async function prepareDatabase(url: string): Promise<void> {
  await migrate(url);
  await migrateJobs(url, pino({ level: "silent" }));
  const database = openDatabase(url);
  await database.transaction("platform", seedMenu);
  await database.close();
}
