// The outbox of text messages in the database.
import type { SmsScene } from "@cabinet/contract/sms/sms.rules.ts";
import { type Db, sql } from "../../platform/db.ts";

export interface NewSms {
  tenantId: number;
  phone: string;
  scene: SmsScene;
  sealedText: Buffer;
  segments: number;
  orderId: number | null;
}

export async function insertSms(db: Db, message: NewSms): Promise<void> {
  const { tenantId, phone, scene, sealedText, segments, orderId } = message;
  await db.run(sql`
    insert into sms_message (tenant_id, phone, scene, sealed_text, segments, order_id)
    values (${tenantId}, ${phone}, ${scene}, ${sealedText}, ${segments}, ${orderId})`);
}
