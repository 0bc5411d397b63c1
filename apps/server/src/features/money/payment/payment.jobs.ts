// Background jobs of payments: calls to WeChat with retries, and the nightly reconciliation.
import type { Database } from "../../../platform/db/db.ts";
import type { JobSet } from "../../../platform/jobs/jobs.ts";
import { defineWork, type Work } from "../../../platform/work/work.ts";
import { notifyOfCertificates } from "./certificate.service.ts";
import type { PaymentParts } from "./merchant.cache.ts";
import { CHECK_SETTING, type MoneyKey, PREPAY, REFUND, SETTLE } from "./payment.queue.ts";
import { checkSetting } from "./payment-setting.service.ts";
import { PlatformCertificates } from "./platform-certificates.cache.ts";
import { RECONCILE } from "./reconciliation.queue.ts";
import { reconcile, startNight } from "./reconciliation.service.ts";
import { findQueuedRuns, findWaitingTenants } from "./reconciliation.sql.ts";
import { prepay, settle } from "./top-up.service.ts";
import { checkLater, checkQueues } from "./top-up.sql.ts";
import { pushRefund } from "./top-up-refund.service.ts";

/** Asks WeChat about what is under way. A check that a killed process has begun is repeated by the row's plan. */
function checkWork(
  table: keyof typeof checkQueues,
  check: (database: Database, key: MoneyKey) => Promise<void>,
): Work {
  return defineWork<MoneyKey, void>({
    ...{ name: `payment.checks.${table}`, queue: checkQueues[table], parallel: 8, perTenant: 3 },
    async claim(db, { tenantId, key }) {
      const one = { tenantId, id: Number(key) };
      return (await checkLater(db, table, one)) ? one : null;
    },
    run: (key, _context, { database }) => check(database, key),
  });
}

export function paymentJobs({ origin }: Pick<PaymentParts, "origin">): JobSet {
  const options = { origin, certificates: new PlatformCertificates() };
  const checks = [
    checkWork("top_up", (database, key) => settle({ ...options, database }, key)),
    checkWork("top_up_refund", (database, key) => pushRefund({ ...options, database }, key)),
  ];
  return {
    tasks: {
      [PREPAY]: (payload, { database }) => prepay({ ...options, database }, payload as MoneyKey),
      [SETTLE]: (payload, { database }) => settle({ ...options, database }, payload as MoneyKey),
      [REFUND]: (payload, { database }) =>
        pushRefund({ ...options, database }, payload as MoneyKey),
      "payment.certificates": (_payload, { database }) => notifyOfCertificates(database),
      [CHECK_SETTING]: (payload, { database }) =>
        checkSetting({ ...options, database }, (payload as { tenantId: number }).tenantId),
      "payment.tick": async (_payload, tools) => {
        await Promise.all(checks.map((work) => work.drain(tools)));
      },
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
