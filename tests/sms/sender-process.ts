// Worker that only sends text messages, for tests that kill it.
import { smsJobs } from "../../apps/server/src/features/messaging/sms/index.ts";
import { openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { Vault } from "../../apps/server/src/platform/secrets.ts";

const { DATABASE_URL = "", VAULT_KEY = "", CARRIER_URL = "" } = process.env;
const vault = new Vault(Buffer.from(VAULT_KEY, "hex"));
const database = openDatabase(DATABASE_URL, { vault, max: 8 });
const tools = { database, log: createLog("silent") };
const { tasks } = smsJobs({ aliyunSmsUrl: CARRIER_URL, tencentSmsUrl: CARRIER_URL });

process.on("disconnect", () => process.exit(0));
process.send?.("ready");
for (;;) {
  await tasks["sms.send"]?.({}, tools);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
