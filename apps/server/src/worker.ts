// Composes the worker process: background jobs and cron.
import { advertJobs } from "./features/advert/index.ts";
import { announcementJobs } from "./features/announcement/index.ts";
import { appJobs } from "./features/app/index.ts";
import { authJobs } from "./features/auth/index.ts";
import { cabinetSecretJobs } from "./features/cabinet-secret/index.ts";
import { exportJobs } from "./features/export/index.ts";
import { fileJobs } from "./features/file/index.ts";
import { ledgerJobs } from "./features/ledger/index.ts";
import { maintenanceMessageJobs } from "./features/maintenance-message/index.ts";
import { malfunctionJobs } from "./features/malfunction/index.ts";
import { MiniPrograms, miniProgramJobs } from "./features/mini-program/index.ts";
import { openApiJobs } from "./features/open-api/index.ts";
import { orderJobs } from "./features/order/index.ts";
import { paymentJobs } from "./features/payment/index.ts";
import { rolloutJobs } from "./features/rollout/index.ts";
import { type SmsUrls, smsJobs } from "./features/sms/index.ts";
import { statisticsJobs } from "./features/statistics/index.ts";
import { templateJobs } from "./features/template/index.ts";
import { startWebhookSender, WebhookClient, webhookJobs } from "./features/webhook/index.ts";
import type { FileStore } from "./platform/file-store.ts";
import { type JobTools, startJobs } from "./platform/jobs.ts";
import type { Listener } from "./platform/notify.ts";
import type { Vault } from "./platform/secrets.ts";

interface WorkerParts extends SmsUrls {
  files: FileStore;
  listener: Listener;
  vault: Vault;
  /** Base URL of WeChat Pay. */
  wechatPayUrl: string;
  /** Allows webhook URLs on this machine. */
  allowsLoopbackCallbacks: boolean;
  /** The demo's webhook receiver, if there is one. */
  demoReceiver: string | undefined;
}

export async function startWorker(
  url: string,
  tools: JobTools,
  parts: WorkerParts,
): Promise<{ stop(): Promise<void> }> {
  const { files, listener, vault, wechatPayUrl, aliyunSmsUrl, tencentSmsUrl } = parts;
  const miniPrograms = new MiniPrograms(vault);
  const jobs = await startJobs(
    url,
    [
      advertJobs,
      announcementJobs,
      appJobs,
      authJobs,
      cabinetSecretJobs,
      webhookJobs(vault),
      exportJobs,
      fileJobs(files),
      ledgerJobs,
      maintenanceMessageJobs(vault),
      malfunctionJobs,
      miniProgramJobs(miniPrograms),
      openApiJobs,
      orderJobs(vault),
      paymentJobs({ vault, origin: wechatPayUrl }),
      rolloutJobs,
      smsJobs(vault, { aliyunSmsUrl, tencentSmsUrl }),
      statisticsJobs,
      templateJobs(vault, miniPrograms),
    ],
    tools,
  );
  const client = new WebhookClient({
    allowsLoopback: parts.allowsLoopbackCallbacks,
    localOrigin: parts.demoReceiver,
  });
  const sender = startWebhookSender({ ...tools, listener, vault, client });
  return {
    async stop() {
      await Promise.all([sender.stop(), jobs.stop()]);
    },
  };
}
