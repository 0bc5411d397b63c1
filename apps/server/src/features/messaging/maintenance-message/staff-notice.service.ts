// Delivers notices: one per recipient, in the console and by text message, now or after quiet
// hours.
import {
  MAX_SMS_PER_HOUR,
  type NoticeSmsState,
  noticeFacts,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { sendMessage as sendToPerson } from "../template/index.ts";
import {
  countSmsLately,
  insertNotice,
  lockDueSms,
  type MalfunctionKey,
  type NewNotice,
  settleSms,
} from "./maintenance-notice.sql.ts";
import type { Recipient } from "./maintenance-rule.sql.ts";

export interface StaffNotice
  extends Pick<NewNotice, "tenantId" | "step" | "kind" | "malfunctionId" | "place" | "detail"> {
  recipients: readonly Recipient[];
  byConsole: boolean;
  bySms: boolean;
  /** End of quiet hours; null outside of them. */
  smsDueAt: string | null;
}

interface SmsOutcome {
  smsState: NoticeSmsState;
  smsDueAt: string | null;
  smsId: number | null;
}

export async function notifyStaff(
  db: Db,
  { recipients, byConsole, bySms, smsDueAt, ...message }: StaffNotice,
): Promise<SmsOutcome[]> {
  const outcomes: SmsOutcome[] = [];
  for (const { id, name, phone } of recipients) {
    const to = { tenantId: message.tenantId, operatorId: id, phone };
    const sms = bySms ? await text(db, to, message, smsDueAt) : outcome("NONE");
    await insertNotice(db, {
      ...message,
      ...sms,
      operatorId: id,
      operatorName: name,
      byConsole,
    });
    outcomes.push(sms);
  }
  if (byConsole && outcomes.length > 0) {
    await pushLive(db, { tenantId: message.tenantId, topic: "notice", cabinetId: null });
  }
  return outcomes;
}

const outcome = (smsState: NoticeSmsState, rest: Partial<SmsOutcome> = {}): SmsOutcome => ({
  smsState,
  smsDueAt: null,
  smsId: null,
  ...rest,
});

type Message = Parameters<typeof noticeFacts>[0];

async function text(
  db: Db,
  to: { tenantId: number; operatorId: number; phone: string },
  message: Message,
  dueAt: string | null,
): Promise<SmsOutcome> {
  const { tenantId, phone } = to;
  if (phone === "") return outcome("NO_PHONE");
  if (dueAt !== null) return outcome("WAITING", { smsDueAt: dueAt });
  if ((await countSmsLately(db, to)) >= MAX_SMS_PER_HOUR) return outcome("CAPPED");
  const { smsId } = await sendToPerson(db, {
    ...{ tenantId, scene: "MALFUNCTION", side: null, phone, endUserId: null },
    facts: noticeFacts(message),
  });
  return outcome("QUEUED", { smsId });
}

/** After quiet hours: sends the text message unless the malfunction has been accepted meanwhile. */
export async function sendWaiting(db: Db, key: MalfunctionKey): Promise<void> {
  const found = await lockDueSms(db, key);
  if (!found) return;
  const { operatorId, phone, isWaiting, ...message } = found;
  if (!isWaiting || operatorId === null) return settleSms(db, key, "MOOT", null);
  const to = { tenantId: key.tenantId, operatorId, phone };
  const { smsState, smsId } = await text(db, to, message, null);
  await settleSms(db, key, smsState, smsId);
}
