// Publishing: what happened goes into the outbox in the transaction in which it did.
import type { CallbackEventType } from "@cabinet/contract/callback/callback-event.rules.ts";
import type { Db } from "../../platform/db.ts";
import { notify } from "../../platform/notify.ts";
import { insertEvent } from "./event.sql.ts";

export interface PublishedEvent {
  tenantId: number;
  /** Whose program ordered it; null: nobody's. */
  appId: number | null;
  type: CallbackEventType;
  /** Names the business: what is published again under the same type and key is told once. */
  key: string;
  orderId?: number;
  /** Ids, third-party numbers and states alone: no phones, no codes, no names. */
  data: Readonly<Record<string, unknown>>;
}

/** Told with the commit, and not at all without it. Its number is given afterwards (decision 0044). */
export async function publishEvent(db: Db, event: PublishedEvent): Promise<void> {
  const { orderId = null, ...rest } = event;
  await Promise.all([insertEvent(db, { ...rest, orderId }), notify(db, "callback", null)]);
}
