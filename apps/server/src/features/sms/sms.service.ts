// Text messages: put into the outbox with what they tell of; their texts are sealed.
import { type SmsScene, smsSegments } from "@cabinet/contract/sms/sms.rules.ts";
import type { Db } from "../../platform/db.ts";
import type { Vault } from "../../platform/secrets.ts";
import { insertSms } from "./sms.sql.ts";

export interface SmsDraft {
  tenantId: number;
  phone: string;
  scene: SmsScene;
  text: string;
  orderId?: number;
}

/** A code in it opens a door or an account, so nobody reads it in the database. */
function ownerOf({ tenantId, phone }: { tenantId: number; phone: string }): string {
  return `sms:${tenantId}:${phone}`;
}

/** In the caller's transaction: it is sent exactly when what it tells of has happened. */
export async function queueSms(
  db: Db,
  vault: Vault,
  { text, orderId, ...message }: SmsDraft,
): Promise<void> {
  await insertSms(db, {
    ...message,
    orderId: orderId ?? null,
    sealedText: vault.seal(text, ownerOf(message)),
    segments: smsSegments(text),
  });
}
