// The demo's text messages: what told of the codes that open its compartments now, and of those of the last days.
import { feeText } from "@cabinet/contract/pricing/pricing.rules.ts";
import { pickupCodeText, signedText, smsSegments } from "@cabinet/contract/sms/sms.rules.ts";
import { hashCode, makeCode } from "../features/order/index.ts";
import { sealSmsText } from "../features/sms/index.ts";
import type { Db } from "../platform/db.ts";
import type { Vault } from "../platform/secrets.ts";
import { insertRows } from "./rows.sql.ts";
import { findCodesSent, writeCodes } from "./sms.sql.ts";

/** Of the last week, and of all that lies there: whoever looks a code up can open with it. */
export async function insertMessages(db: Db, vault: Vault): Promise<void> {
  const sent = await findCodesSent(db);
  const taken = new Set<string>();
  const live: { orderId: number; hash: Buffer }[] = [];
  const rows = sent.map((notice) => {
    const { tenantId, orderId, cabinetId, phone, place, no, at } = notice;
    let code = makeCode();
    while (taken.has(`${cabinetId}/${code}`)) code = makeCode();
    taken.add(`${cabinetId}/${code}`);
    if (notice.isLive) live.push({ orderId, hash: hashCode(vault, notice, code) });
    const unsigned = pickupCodeText({ place, no, code, price: feeText(notice.rule) });
    const text = signedText(notice.sign, unsigned);
    const sealed = sealSmsText(vault, { tenantId, phone }, text);
    return {
      tenant_id: tenantId,
      created_at: at,
      scene: "PICKUP_CODE",
      phone,
      sealed_text: `\\x${sealed.toString("hex")}`,
      segments: smsSegments(text),
      order_id: orderId,
    };
  });
  await writeCodes(db, live);
  await insertRows(db, "sms_message", rows);
}
