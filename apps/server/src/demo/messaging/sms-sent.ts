// Results of the demo's text messages: sent for weeks by a carrier now switched off, so that nobody gets messages.
import { randomBytes } from "node:crypto";
import { USUAL_SIGN } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { sealChannelSecret } from "../../features/messaging/sms/index.ts";
import type { Db } from "../../platform/db/db.ts";
import { insertRows } from "../rows.sql.ts";
import {
  type CreditStep,
  findCreditSteps,
  insertSmsChannel,
  type SmsProgress,
  writeSmsProgress,
} from "./sms.sql.ts";

type Fate = [every: number, result: Pick<SmsProgress, "state" | "resultCode">, isTaken: boolean];
const usual: Fate = [1, { state: "DELIVERED", resultCode: "" }, true];
/** Every n-th message fails, for one of these reasons. */
const mishaps: Fate[] = [
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
  const balances = new Map<number, number>();
  const entries: object[] = [];
  const add = ({ tenantId, id, at }: CreditStep, segments: number, kind: string) => {
    const balance = (balances.get(tenantId) ?? 0) + segments;
    balances.set(tenantId, balance);
    entries.push({
      ...{ tenant_id: tenantId, at, kind, segments, balance_after: balance, biz_id: id },
      biz_type: kind === "USE" ? "SMS_MESSAGE" : "SMS_RECHARGE",
    });
  };
  const progressRows = (await findCreditSteps(db)).flatMap((step, nth): SmsProgress[] => {
    const { tenantId, id, bought, needed } = step;
    if (bought !== null) add(step, bought, bought < 0 ? "REVERSAL" : "RECHARGE");
    if (needed === null) return [];
    if ((balances.get(tenantId) ?? 0) < needed) {
      return [{ tenantId, id, state: "FAILED", resultCode: "NO_CREDIT", isTaken: false }];
    }
    const mishap = mishaps.find(([every]) => nth % every === every - 1);
    const [, progress, isTaken] = mishap ?? usual;
    if (isTaken) add(step, -needed, "USE");
    return [{ tenantId, id, ...progress, isTaken }];
  });
  await writeSmsProgress(db, progressRows);
  const accounts = [...balances].map(([tenant_id, balance]) => ({ tenant_id, balance }));
  await insertRows(db, "sms_account", accounts);
  await insertRows(db, "sms_credit_entry", entries);
}
