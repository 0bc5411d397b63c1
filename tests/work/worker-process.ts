// Worker that empties the tests' queue, for tests that kill it.
import { openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { actWork, effectWork } from "./queue.ts";

const database = openDatabase(process.env.DATABASE_URL ?? "", { max: 6 });
const tools = { database, log: createLog("silent") };
const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
const works = [actWork(pause), effectWork(database, pause)];

process.on("disconnect", () => process.exit(0));
process.send?.("ready");
for (;;) {
  await Promise.all(works.map((work) => work.drain(tools)));
  await new Promise((resolve) => setTimeout(resolve, 10));
}
