// SQL for the inbox of the demo: the newest text messages with codes.
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";

export interface InboxRow {
  tenantId: number;
  at: string;
  phone: string;
  scene: MessageScenario;
  sealedText: Buffer;
}

const SHOWN = 20;

/** Newest first; `phone` limits them to one recipient. */
export function findNewest(db: Db, phone: string | null): Promise<InboxRow[]> {
  return db.many(sql`
    select sms.tenant_id, sms.created_at as at, sms.phone, sms.scene, sms.sealed_text
    from sms_message sms
    where sms.scene in ('SIGN_IN_CODE', 'PICKUP_CODE') and sms.sealed_text <> ''
      and (${phone}::text is null or sms.phone = ${phone})
    order by sms.id desc limit ${SHOWN}`);
}
