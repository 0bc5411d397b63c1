// Text messages of the demo: codes of live orders, codes of the last days, and malfunctions.

import { signedText, smsSegments } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { builtInText } from "@cabinet/contract/messaging/template/sms-template.rules.ts";
import { pickupPath } from "@cabinet/contract/messaging/template/template.rules.ts";
import { feeText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { sealSmsText } from "../../features/messaging/sms/index.ts";
import { hashCode, makeCode } from "../../features/orders/order/index.ts";
import type { Db } from "../../platform/db/db.ts";
import { insertNumberedRows } from "../rows.sql.ts";
import { findNotifiedMalfunctions } from "./maintenance.sql.ts";
import { insertNotices, malfunctionRow } from "./maintenance.ts";
import { findCodesSent, writeCodes } from "./sms.sql.ts";

/** In chronological order, so that ids ascend with time. */
export async function insertMessages(db: Db): Promise<void> {
  const codes = await codeRows(db);
  const malfunctions = await findNotifiedMalfunctions(db);
  const faults = malfunctions.map((each) => malfunctionRow(db.vault, each));
  const rows = [...codes, ...faults].sort(
    (one, other) => Date.parse(one.created_at) - Date.parse(other.created_at),
  );
  const ids = await insertNumberedRows(db, "sms_message", rows);
  const idOf = new Map(rows.map((row, index) => [row, ids[index] ?? 0]));
  await insertNotices(
    db,
    malfunctions,
    faults.map((row) => idOf.get(row) ?? 0),
  );
}

/** Codes of the last weeks and of all live orders: a code looked up in the console does open its door. */
async function codeRows(db: Db) {
  const sent = await findCodesSent(db);
  const taken = new Set<string>();
  const live: { orderId: number; hash: Buffer }[] = [];
  const rows = sent.map((notice) => {
    const { tenantId, orderId, cabinetId, sn, phone, place, no, at } = notice;
    let code = makeCode();
    while (taken.has(`${cabinetId}/${code}`)) code = makeCode();
    taken.add(`${cabinetId}/${code}`);
    if (notice.isLive) live.push({ orderId, hash: hashCode(db.vault, notice, code) });
    const facts = { place, no, code, price: feeText(notice.rule), path: pickupPath(sn), orderId };
    const unsigned = builtInText("PICKUP_CODE", { ...facts, storedAt: at, overdueAt: "" });
    const text = signedText(notice.sign, unsigned);
    const sealed = sealSmsText(db.vault, { tenantId, phone }, text);
    return {
      tenant_id: tenantId,
      created_at: at,
      scene: "PICKUP_CODE",
      phone,
      sealed_text: `\\x${sealed.toString("hex")}`,
      template_code: "SMS_478215044",
      segments: smsSegments(text),
      order_id: orderId,
    };
  });
  await writeCodes(db, live);
  return rows;
}
