// Publishes events through the transactional outbox, in the transaction of the business change.
import type { WebhookEventType } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { notify } from "../../../platform/db/notify.ts";
import { insertEvent } from "./event.sql.ts";

export interface PublishedEvent {
  tenantId: number;
  /** The application that created the order; null: none. */
  appId: number | null;
  type: WebhookEventType;
  /** Idempotency key: the same type and key are published once. */
  key: string;
  orderId?: number;
  /** Only ids, third-party numbers and states: no phones, codes or names. */
  data: Readonly<Record<string, unknown>>;
}

/** Delivered only if the transaction commits. The number is assigned afterwards (decision 0044). */
export async function publishEvent(db: Db, event: PublishedEvent): Promise<void> {
  const { orderId = null, ...rest } = event;
  await Promise.all([insertEvent(db, { ...rest, orderId }), notify(db, "callback", null)]);
}

/** The signed head of a day, for tenants that keep it outside of the installation. */
export function publishAuditHead(
  db: Db,
  {
    tenantId,
    ...head
  }: { tenantId: number; day: string; seq: number; hash: string; signature: string },
): Promise<void> {
  const data = { tenantId, ...head };
  return publishEvent(db, { tenantId, appId: null, type: "audit.sealed", key: head.day, data });
}
