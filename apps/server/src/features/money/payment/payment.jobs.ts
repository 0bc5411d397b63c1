// Background jobs of payments: calls to WeChat with retries, and the nightly reconciliation.
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { notifyOfCertificates } from "./certificate.service.ts";
import type { PaymentParts } from "./merchant.cache.ts";
import {
  CHECK_SETTING,
  type MoneyKey,
  PREPAY,
  REFUND,
  refundSoon,
  SETTLE,
  settleSoon,
} from "./payment.queue.ts";
import { checkSetting } from "./payment-setting.service.ts";
import { PlatformCertificates } from "./platform-certificates.cache.ts";
import { RECONCILE } from "./reconciliation.queue.ts";
import { reconcile, startNight } from "./reconciliation.service.ts";
import { findQueuedRuns, findWaitingTenants } from "./reconciliation.sql.ts";
import { prepay, settle } from "./top-up.service.ts";
import { findDueRefunds, findDueTopUps } from "./top-up.sql.ts";
import { pushRefund } from "./top-up-refund.service.ts";

export function paymentJobs({ origin }: Pick<PaymentParts, "origin">): JobSet {
  const options = { origin, certificates: new PlatformCertificates() };
  return {
    tasks: {
      [PREPAY]: (payload, { database }) => prepay({ ...options, database }, payload as MoneyKey),
      [SETTLE]: (payload, { database }) => settle({ ...options, database }, payload as MoneyKey),
      [REFUND]: (payload, { database }) =>
        pushRefund({ ...options, database }, payload as MoneyKey),
      "payment.certificates": (_payload, { database }) => notifyOfCertificates(database),
      [CHECK_SETTING]: (payload, { database }) =>
        checkSetting({ ...options, database }, (payload as { tenantId: number }).tenantId),
      "payment.tick": (_payload, { database }) =>
        database.transaction("platform", async (db) => {
          for (const key of await findDueTopUps(db)) await settleSoon(db, key);
          for (const key of await findDueRefunds(db)) await refundSoon(db, key);
        }),
      "reconciliation.night": (_payload, { database }) =>
        database.transaction("platform", (db) => startNight(db, null)),
      // A bill is available from 10:00 Asia/Shanghai at the earliest.
      "reconciliation.bills": (_payload, { database }) =>
        database.transaction("platform", async (db) =>
          startNight(db, await findWaitingTenants(db)),
        ),
      // One tenant after another; an interrupted run is still in the queue.
      [RECONCILE]: async (_payload, { database, log }) => {
        for (const key of await database.read("platform", findQueuedRuns)) {
          await reconcile({ ...options, database }, key).catch((error) =>
            log.error({ err: error, tenantId: key.tenantId }, "reconciliation broke off"),
          );
        }
      },
    },
    waitingTimes: [
      { column: "top_up.next_check_at", atMost: "11 minutes", where: "next_check_at is not null" },
      {
        column: "top_up_refund.next_check_at",
        atMost: "11 minutes",
        where: "next_check_at is not null",
      },
    ],
    cron: [
      { task: "payment.tick", pattern: "* * * * *" },
      // 09:30 in Shanghai, during working hours.
      { task: "payment.certificates", pattern: "30 1 * * *" },
      { task: "reconciliation.night", pattern: "30 18 * * *" },
      { task: "reconciliation.bills", pattern: "30 2,4,8 * * *" },
    ],
  };
}
