// Sends queued messages to a carrier at most once; credit is held before and settled after (promise M6).
import { createHmac } from "node:crypto";
import {
  isChannelTrouble,
  smsCodeText,
} from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import {
  CODE_RESERVE,
  isCodeScenario,
  lookSeconds,
  phoneLimits,
  receiptSeconds,
  retrySeconds,
  usefulSeconds,
} from "@cabinet/contract/messaging/sms/sms-sending.rules.ts";
import type { OwnResultCode } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { writeCheck } from "../../../platform/db/setting-check.sql.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { countAsk } from "../../../platform/limits/rate-limit.sql.ts";
import { smsAttempts, smsFailures } from "../../../platform/metrics.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { defineWork, type Work, type WorkKey } from "../../../platform/work/work.ts";
import type { OutgoingSms, SendOutcome } from "./carrier.port.ts";
import { openSmsText, type SmsCarrierDraft, signOf } from "./sms.service.ts";
import type { OpenChannel, SmsChannels } from "./sms-channel.service.ts";
import { checkedRow, returnToOutbox } from "./sms-channel.sql.ts";
import { holdSmsCredit, postSmsCredit, releaseSmsCredit } from "./sms-credit.service.ts";
import type { MessageKey } from "./sms-credit.sql.ts";
import * as repo from "./sms-sending.sql.ts";

/** Concurrent requests per process. */
const PARALLEL = { codes: 4, notices: 6 };

interface Claimed {
  key: MessageKey;
  message: OutgoingSms;
}

/** Codes and notices are works of their own: people wait for a code at a door. */
export function smsWork(name: string, kind: keyof typeof PARALLEL, channels: SmsChannels): Work {
  return defineWork<Claimed, SendOutcome, OpenChannel>({
    name,
    queue: repo.queuedSms(kind),
    scope: "platform",
    parallel: PARALLEL[kind],
    isTimed: true,
    async open({ database }) {
      const channel = await channels.open(database);
      if (channel?.row.isOn) return channel;
      await database.transaction("platform", returnToOutbox);
      return null;
    },
    claim,
    async run({ message }, { carrier, row }) {
      const outcome = await carrier.send(message);
      smsAttempts.inc({ carrier: row.carrier, outcome: outcome.kind });
      return outcome;
    },
    settle,
  });
}

/** Checks the message, holds its credit and marks it SENDING; one that must not be sent ends here. */
async function claim(
  db: Db,
  { tenantId, key: id }: WorkKey,
  channel: OpenChannel,
): Promise<Claimed | null> {
  const key = { tenantId, smsId: Number(id) };
  const due = await repo.lockDue(db, key);
  if (!due) return null;
  const fail = async (resultCode: OwnResultCode) => {
    await repo.markFailed(db, key, { resultCode, resultText: "" });
    await publishSmsChange(db, tenantId);
    smsFailures.inc({ reason: resultCode });
    return null;
  };
  const { phone, scene } = due;
  if (phone === "") return fail("FORGOTTEN");
  if (due.ageSeconds > usefulSeconds(scene)) return fail("TOO_LATE");
  if (!due.sealedCarrier) return fail("NO_TEMPLATE");
  const content = openContent(db.vault, due);
  if (!content) return fail("UNREADABLE");
  if (due.attempts === 0) {
    const key = db.vault.derive("sms phone limits");
    const hash = createHmac("sha256", key).update(phone).digest("base64url");
    if ((await countAsk(db, `sms:${scene}:${hash}`, phoneLimits(scene))) > 0) {
      return fail("PHONE_LIMITED");
    }
  }
  const isCode = isCodeScenario(scene);
  const reserve = isCode ? 0 : CODE_RESERVE;
  if (!(await holdSmsCredit(db, { ...key, segments: due.segments, reserve }))) {
    return fail(isCode ? "NO_CREDIT" : "CREDIT_RESERVED");
  }
  await repo.markSending(db, key, {
    carrier: channel.row.carrier,
    lookSeconds: lookSeconds(0) ?? 0,
  });
  return { key, message: { ...content, sendKey: due.sendKey, phone } };
}

/** Null when sealed by another installation. */
function openContent(vault: Vault, { sealedText, sealedCarrier, ...owner }: repo.QueuedSms) {
  try {
    const text = openSmsText(vault, owner, sealedText);
    const { templateCode, variables } = JSON.parse(
      openSmsText(vault, owner, sealedCarrier ?? Buffer.alloc(0)),
    ) as SmsCarrierDraft;
    const sign = signOf(text);
    return sign === null ? null : { sign, templateCode, variables };
  } catch {
    return null;
  }
}

function publishSmsChange(db: Db, tenantId: number): Promise<void> {
  return pushLive(db, { tenantId, topic: "sms", cabinetId: null });
}

/** Records the carrier's outcome; no-op when the message is not SENDING any more. */
async function settle(
  db: Db,
  { key }: Claimed,
  outcome: SendOutcome,
  channel: OpenChannel,
): Promise<void> {
  const message = await repo.lockMessage(db, key);
  if (message?.state !== "SENDING") return;
  const { editVersion } = channel.row;
  if (outcome.kind === "TAKEN") {
    await postSmsCredit(db, key);
    const seconds = receiptSeconds(0) ?? 0;
    await repo.markSent(db, key, { ...outcome, seconds });
    if (channel.row.checkState === "FAILED") {
      const text = "短信通道恢复正常，短信已经发出。";
      await writeCheck(db, checkedRow, { editVersion, isOk: true, text });
      channel.row.checkState = "OK";
    }
  } else if (outcome.kind === "UNKNOWN") {
    await repo.markAsked(db, key, { seconds: lookSeconds(0), resultCode: "UNKNOWN" });
  } else {
    const { code, text, mayRetry } = outcome;
    await releaseSmsCredit(db, key);
    const result = { resultCode: code, resultText: text };
    const seconds = mayRetry ? retrySeconds(message.attempts) : null;
    if (seconds === null) {
      await repo.markFailed(db, key, result);
      smsFailures.inc({ reason: "REFUSED" });
    } else {
      await repo.markQueued(db, key, { ...result, seconds });
    }
    if (isChannelTrouble(code)) {
      const why = `${smsCodeText(code)}（${code}）`;
      await writeCheck(db, checkedRow, { editVersion, isOk: false, text: why });
      channel.row.checkState = "FAILED";
    }
  }
  await publishSmsChange(db, key.tenantId);
}
