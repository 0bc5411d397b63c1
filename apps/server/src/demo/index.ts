// Creates the demo once (companies, cabinets and weeks of history), then its accounts and credentials.
import { rm } from "node:fs/promises";
import path from "node:path";
import { cabinetPagePath } from "@cabinet/contract/orders/app/app-page.rules.ts";
import { SIMULATED_CABINETS_FILE } from "@cabinet/link";
import { startNight } from "../features/money/payment/index.ts";
import type { Database } from "../platform/db/db.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { Log } from "../platform/log.ts";
import { insertAuditTrail } from "./audit-trail.sql.ts";
import { findDemo, liftDeadlines, saveDemo } from "./demo.sql.ts";
import { drawAdverts } from "./fleet/advert.ts";
import { demoMaker, MAKER_KEY_FILE } from "./fleet/maker.ts";
import { buildImages } from "./fleet/rollout.ts";
import { findVisitorsCabinet } from "./links.sql.ts";
import { makeDemo } from "./make.ts";
import { INBOX_PATH } from "./messaging/inbox.ts";
import { insertMessages } from "./messaging/sms.ts";
import { sendMessages } from "./messaging/sms-sent.ts";
import { insertSubscribeMessages } from "./messaging/subscribe.ts";
import { insertWechatSettings } from "./money/wechat.ts";
import { ACCOUNTS_FILE, ensureAccountsFile } from "./organization/account.ts";
import { ensureCabinetsFile } from "./organization/credential.ts";
import { writePrivateFile } from "./organization/private-file.ts";
import { insertOpenApps } from "./partners/open-api.ts";
import { insertWebhooks } from "./partners/webhook.ts";

export { startDemoFleet } from "./fleet/fleet.ts";
export { addInbox } from "./messaging/inbox.ts";
export { startDemoReceiver } from "./partners/receiver.ts";

export interface DemoOptions {
  database: Database;
  files: FileStore;
  dataDir: string;
  log: Log;
  /** Server URL for simulated cabinets: `http://127.0.0.1:8080`. */
  server: string;
  /** Broker URL for simulated cabinets: `mqtt://127.0.0.1:1883`. */
  mqtt: string;
}

/**
 * One transaction creates everything. A file is written only after its content is committed, so an existing
 * file is valid; a missing one (process killed) is written again with new secrets.
 */
export async function ensureDemo(options: DemoOptions): Promise<void> {
  const { database, dataDir, log } = options;
  const accountsFile = path.join(dataDir, ACCOUNTS_FILE);
  const cabinetsFile = path.join(dataDir, SIMULATED_CABINETS_FILE);
  let demo = await database.read("platform", findDemo);
  if (!demo) {
    // Left over from another database.
    await rm(accountsFile, { force: true });
    await rm(cabinetsFile, { force: true });
    const startedAt = Date.now();
    const adverts = await drawAdverts(database, options.files);
    const images = await buildImages(database, options.files);
    const firmware = { maker: demoMaker(options.database.vault), images };
    demo = await database.transaction("platform", async (db) => {
      await liftDeadlines(db);
      const made = await makeDemo(db, startedAt, adverts, firmware);
      await insertWechatSettings(db);
      await insertSubscribeMessages(db);
      await insertMessages(db);
      await sendMessages(db);
      await insertOpenApps(db);
      await insertWebhooks(db);
      await insertAuditTrail(db, startedAt);
      await saveDemo(db, made);
      await startNight(db, null);
      return made;
    });
    log.info({ ms: Date.now() - startedAt }, "demo data made");
  }
  await ensureAccountsFile(database, demo, accountsFile);
  await ensureCabinetsFile(options, demo, cabinetsFile);
  await writePrivateFile(path.join(dataDir, MAKER_KEY_FILE), demoMaker(options.database.vault));
}

/** Lines for the terminal: where a visitor follows a parcel, on two screens. */
export async function describeVisit(database: Database, origin: string): Promise<string[]> {
  const cabinet = await database.read("platform", findVisitorsCabinet);
  if (!cabinet) return [];
  return [
    "跟着一个包裹走一遍：",
    `  模拟柜机（用 ${cabinet.username} 登录）：${origin}/cupboard/simulated?id=${cabinet.cabinetId}`,
    `  骑手与取件人的网页：${origin}${cabinetPagePath(cabinet.sn)}`,
    `  验证码与取件码：${origin}${INBOX_PATH}`,
  ];
}
