// Results of the demo's text messages: sent for a week by a carrier now switched off, so that nobody gets messages.
import { randomBytes } from "node:crypto";
import { USUAL_SIGN } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { sealChannelSecret } from "../../features/messaging/sms/index.ts";
import type { Db } from "../../platform/db/db.ts";
import { findSentSms, insertSmsChannel, type SmsProgress, writeSmsProgress } from "./sms.sql.ts";

/** Every n-th message fails, for one of these reasons. */
const mishaps: [
  every: number,
  course: Pick<SmsProgress, "state" | "resultCode">,
  isTaken: boolean,
][] = [
  [71, { state: "FAILED", resultCode: "isv.MOBILE_NUMBER_ILLEGAL" }, false],
  [43, { state: "FAILED", resultCode: "MK:0012" }, true],
  [97, { state: "SENT", resultCode: "NO_RECEIPT" }, true],
];

export async function sendMessages(db: Db): Promise<void> {
  const secret = randomBytes(24).toString("hex").slice(0, 30);
  await insertSmsChannel(db, {
    keyId: "LTAI5tDemoDemoDemoDemo01",
    sealedSecret: sealChannelSecret(db.vault, secret),
    sign: USUAL_SIGN,
    by: "平台管理员",
  });
  const left = new Map<number, number>();
  const progressRows = (await findSentSms(db)).map((message, nth): SmsProgress => {
    const { tenantId, id, segments } = message;
    const had = left.get(tenantId) ?? message.left;
    const mishap = mishaps.find(([every]) => nth % every === every - 1);
    if (had < segments) {
      return { tenantId, id, state: "FAILED", resultCode: "NO_CREDIT", balanceAfter: null };
    }
    const [, progress, isTaken] = mishap ?? [
      0,
      { state: "DELIVERED", resultCode: "" } as const,
      true,
    ];
    if (isTaken) left.set(tenantId, had - segments);
    return { tenantId, id, ...progress, balanceAfter: isTaken ? had - segments : null };
  });
  await writeSmsProgress(db, progressRows);
}
