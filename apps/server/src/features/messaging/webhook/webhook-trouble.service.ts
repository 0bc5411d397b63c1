// Notifies the tenant's maintenance recipients of failing webhook endpoints, once per trouble.
import type { Db } from "../../../platform/db/db.ts";
import { calmMsOf, notifyTenantStaff } from "../maintenance-message/index.ts";
import { newTrouble, type WebhookTrouble, webhookPlace } from "./webhook-trouble.rules.ts";
import * as repo from "./webhook-trouble.sql.ts";

export async function notifyOfTrouble(db: Db, key: repo.EndpointKey): Promise<void> {
  const endpoint = await repo.lockTroubled(db, key);
  if (!endpoint) return;
  const trouble = newTrouble(endpoint, await calmMsOf(db, key.tenantId, "CALLBACK"));
  if (!trouble) return;
  await notifyTenantStaff(db, {
    ...{ tenantId: key.tenantId, kind: "CALLBACK" },
    place: webhookPlace(endpoint.name),
    detail: detailOf(trouble, endpoint.stateReason),
  });
  await repo.saveNotified(db, key, trouble);
}

function detailOf(trouble: WebhookTrouble, stateReason: string): string {
  return {
    DEAD: "有回调重试多次仍没有送达，修好后可重新推送",
    GONE: `${stateReason}，已自动停用`,
    FAILING: stateReason,
  }[trouble];
}
