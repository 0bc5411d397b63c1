// Gateway in a child process, for tests that kill it.
import { pino } from "pino";
import { startGateway } from "../../apps/server/src/gateway.ts";
import { openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { Listener } from "../../apps/server/src/platform/db/notify.ts";
import { readSettings } from "../../apps/server/src/platform/env.ts";
import { openVault } from "../../apps/server/src/platform/secrets.ts";
import { startTracing } from "../../apps/server/src/platform/tracing.ts";

const settings = readSettings(process.env);
const log = pino({ level: process.env.TEST_LOG ?? "silent" });
if (settings.traces) await startTracing(settings.traces, "cabinet-gateway", log);
const url = settings.databaseUrl ?? "";
const database = openDatabase(url, { vault: await openVault(settings.dataDir), max: 6 });
const listener = new Listener(url, log);
await listener.start();
await startGateway({ settings, database, listener, log });
process.send?.("ready");
process.on("disconnect", () => process.exit(0));
