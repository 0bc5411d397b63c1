// Webhook sender in a child process, for tests that kill it.
import { pino } from "pino";
import {
  startWebhookSender,
  WebhookClient,
} from "../../apps/server/src/features/messaging/webhook/index.ts";
import { openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { Listener } from "../../apps/server/src/platform/db/notify.ts";
import { Vault } from "../../apps/server/src/platform/secrets.ts";

const { DATABASE_URL = "", VAULT_KEY = "", TIMEOUT_MS = "", LEASE_SECONDS = "" } = process.env;
const log = pino({ level: process.env.TEST_LOG ?? "silent" });
const vault = new Vault(Buffer.from(VAULT_KEY, "hex"));
const database = openDatabase(DATABASE_URL, { vault, max: 6 });
const listener = new Listener(DATABASE_URL, log);
await listener.start();
startWebhookSender({
  ...{ database, listener, log },
  client: new WebhookClient({ allowsLoopback: () => true, timeoutMs: Number(TIMEOUT_MS) }),
  leaseSeconds: Number(LEASE_SECONDS),
});
process.send?.("ready");
process.on("disconnect", () => process.exit(0));
