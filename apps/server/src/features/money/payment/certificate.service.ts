// Notifies a tenant before its merchant certificate expires, in time to renew it.
import {
  CERTIFICATE_WARNING_DAYS,
  certificateStep,
} from "@cabinet/contract/money/payment/payment.rules.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { notifyTenantStaff } from "../../messaging/maintenance-message/index.ts";
import * as repo from "./payment-setting.sql.ts";

/** One transaction per tenant; each escalation step is notified once. */
export async function notifyOfCertificates(database: Database): Promise<void> {
  const ending = await database.read("platform", (db) =>
    repo.findEndingCertificates(db, CERTIFICATE_WARNING_DAYS),
  );
  for (const { tenantId } of ending) {
    await database.transaction({ tenantId }, (db) => notifyOnce(db, tenantId));
  }
}

async function notifyOnce(db: Db, tenantId: number): Promise<void> {
  const certificate = await repo.lockCertificate(db, tenantId);
  if (!certificate) return;
  const { mchid, expiresOn, daysLeft, lastStep } = certificate;
  const step = certificateStep(daysLeft);
  if (step === null || (lastStep !== null && lastStep <= step)) return;
  const isOver = daysLeft < 0;
  await notifyTenantStaff(db, {
    tenantId,
    kind: "CERTIFICATE",
    place: `商户号 ${mchid} 的微信支付证书`,
    detail: isOver ? `已于 ${expiresOn} 过期，无法在线充值` : `将于 ${expiresOn} 到期`,
  });
  await repo.writeCertificateNotified(db, tenantId, step);
}
