// Composes the worker process: background jobs and cron.

import { cabinetSecretJobs } from "./features/equipment/cabinet-secret/index.ts";
import { advertJobs } from "./features/fleet/advert/index.ts";
import { cabinetEventJobs } from "./features/fleet/cabinet-event/index.ts";
import { commandJobs } from "./features/fleet/command/index.ts";
import { rolloutJobs } from "./features/fleet/rollout/index.ts";
import { auditJobs } from "./features/identity/audit/index.ts";
import { authJobs } from "./features/identity/auth/index.ts";
import { presenceJobs } from "./features/link/device/index.ts";
import { announcementJobs } from "./features/messaging/announcement/index.ts";
import { maintenanceMessageJobs } from "./features/messaging/maintenance-message/index.ts";
import { MiniPrograms, miniProgramJobs } from "./features/messaging/mini-program/index.ts";
import { type SmsUrls, smsJobs } from "./features/messaging/sms/index.ts";
import { templateJobs } from "./features/messaging/template/index.ts";
import {
  publishAuditHead,
  startWebhookSender,
  WebhookClient,
  webhookJobs,
} from "./features/messaging/webhook/index.ts";
import { ledgerJobs } from "./features/money/ledger/index.ts";
import { paymentJobs } from "./features/money/payment/index.ts";
import { exportJobs } from "./features/operations/export/index.ts";
import { malfunctionJobs } from "./features/operations/malfunction/index.ts";
import { statisticsJobs } from "./features/operations/statistics/index.ts";
import { appJobs } from "./features/orders/app/index.ts";
import { endUserJobs } from "./features/orders/end-user/index.ts";
import { orderJobs } from "./features/orders/order/index.ts";
import { fileJobs } from "./features/organization/file/index.ts";
import { openApiJobs } from "./features/partners/open-api/index.ts";
import type { Listener } from "./platform/db/notify.ts";
import type { FileStore } from "./platform/files/file-store.ts";
import { type JobTools, startJobs } from "./platform/jobs/jobs.ts";
import { workJobs } from "./platform/work/work.jobs.ts";

interface WorkerParts extends SmsUrls {
  files: FileStore;
  listener: Listener;
  /** Base URL of WeChat Pay. */
  wechatPayUrl: string;
  /** Allows webhook URLs on this machine. */
  allowsLoopbackCallbacks: boolean;
  /** The one loopback origin that may receive webhooks without `allowsLoopbackCallbacks`. */
  localWebhookOrigin?: string | undefined;
}

export async function startWorker(
  url: string,
  tools: JobTools,
  parts: WorkerParts,
): Promise<{ stop(): Promise<void> }> {
  const { files, listener, wechatPayUrl, aliyunSmsUrl, tencentSmsUrl } = parts;
  const miniPrograms = new MiniPrograms();
  const jobs = await startJobs(
    url,
    [
      advertJobs,
      announcementJobs,
      appJobs,
      auditJobs({ files, publish: publishAuditHead }),
      authJobs,
      cabinetEventJobs,
      cabinetSecretJobs,
      commandJobs,
      webhookJobs,
      endUserJobs,
      exportJobs,
      fileJobs(files),
      ledgerJobs,
      maintenanceMessageJobs,
      malfunctionJobs,
      miniProgramJobs(miniPrograms),
      openApiJobs,
      orderJobs,
      paymentJobs({ origin: wechatPayUrl }),
      presenceJobs,
      rolloutJobs,
      smsJobs({ aliyunSmsUrl, tencentSmsUrl }),
      statisticsJobs,
      templateJobs(miniPrograms),
      workJobs,
    ],
    tools,
  );
  const client = new WebhookClient({
    allowsLoopback: ({ origin }) =>
      parts.allowsLoopbackCallbacks || origin === parts.localWebhookOrigin,
  });
  const sender = startWebhookSender({ ...tools, listener, client });
  return {
    async stop() {
      await Promise.all([sender.stop(), jobs.stop()]);
    },
  };
}
