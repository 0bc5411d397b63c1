// Notifies the tenant's maintenance recipients of failing webhook endpoints, once per trouble.
import type { Db } from "../../../platform/db/db.ts";
import type { JobTools } from "../../../platform/jobs/jobs.ts";
import { calmMsOf, notifyTenantStaff } from "../maintenance-message/index.ts";
import { newTrouble, type WebhookTrouble } from "./webhook-trouble.rules.ts";
import * as repo from "./webhook-trouble.sql.ts";

/**
 * One transaction per endpoint: a failure for one tenant does not stop the others' notifications.
 */
export async function notifyOfTroubles({ database, log }: JobTools): Promise<void> {
  for (const key of await database.read("platform", repo.findTroubled)) {
    await database
      .transaction({ tenantId: key.tenantId }, (db) => notifyOnce(db, key))
      .catch((error) => log.error({ err: error, ...key }, "trouble of callbacks not told"));
  }
}

async function notifyOnce(db: Db, key: repo.EndpointKey): Promise<void> {
  const endpoint = await repo.lockTroubled(db, key);
  if (!endpoint) return;
  const trouble = newTrouble(endpoint, await calmMsOf(db, key.tenantId, "CALLBACK"));
  if (!trouble) return;
  await notifyTenantStaff(db, {
    ...{ tenantId: key.tenantId, kind: "CALLBACK" },
    place: `回调地址“${endpoint.name}”`,
    detail: detailOf(trouble, endpoint.stateReason),
  });
  await repo.saveNotified(db, key, trouble);
}

function detailOf(trouble: WebhookTrouble, stateReason: string): string {
  if (trouble === "DEAD") return "有回调重试多次仍没有送达，修好后可重放";
  return trouble === "GONE" ? `${stateReason}，已自动停用` : stateReason;
}
