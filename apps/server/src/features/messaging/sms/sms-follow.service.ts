// Polls carriers for unsettled messages: whether an UNKNOWN one was taken, and whether one arrived.
import { lookSeconds, receiptSeconds } from "@cabinet/contract/messaging/sms/sms-sending.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { smsFailures } from "../../../platform/metrics.ts";
import { defineWork, type Work } from "../../../platform/work/work.ts";
import type { FindOutcome, Receipt } from "./carrier.port.ts";
import type { OpenChannel, SmsChannels } from "./sms-channel.service.ts";
import { postSmsCredit, releaseSmsCredit } from "./sms-credit.service.ts";
import * as repo from "./sms-sending.sql.ts";

const PARALLEL = 6;
/** Lease: longer than a carrier needs to answer. */
const LEASE_SECONDS = 120;

export function followWork(channels: SmsChannels): Work {
  return defineWork<repo.OpenSms, FindOutcome, OpenChannel>({
    ...{ name: "sms.follow", queue: repo.openSms, scope: "platform", parallel: PARALLEL },
    open: ({ database }) => channels.open(database),
    claim: (db, { tenantId, key }) =>
      repo.takeOpen(db, { tenantId, smsId: Number(key) }, LEASE_SECONDS),
    run: async (message, { carrier, row }) =>
      message.carrier === row.carrier && message.phone !== ""
        ? carrier.find(message)
        : { kind: "UNREACHABLE" },
    settle,
  });
}

async function settle(db: Db, asked: repo.OpenSms, outcome: FindOutcome): Promise<void> {
  const { tenantId, smsId } = asked;
  const key = { tenantId, smsId };
  const message = await repo.lockMessage(db, key);
  if (message?.state !== asked.state) return;
  if (outcome.kind === "FOUND") {
    // A receipt proves that the carrier took it, whatever the result.
    if (asked.state === "SENDING") await postSmsCredit(db, key);
    if (outcome.receipt.state !== "WAITING") {
      await repo.markReceived(db, key, resultOf(outcome.receipt, outcome.receipt.state));
      if (outcome.receipt.state === "UNDELIVERED") smsFailures.inc({ reason: "UNDELIVERED" });
    } else if (asked.state === "SENDING") {
      await repo.markSent(db, key, { ...outcome.receipt, seconds: receiptSeconds(0) ?? 0 });
    } else {
      await waitOn(db, key, message.checks);
    }
  } else if (asked.state === "SENT") {
    await waitOn(db, key, message.checks);
  } else {
    await lookOn(db, key, message.checks);
  }
  await pushLive(db, { tenantId, topic: "sms", cabinetId: null });
}

function resultOf(
  { carrierNo, segments, code, text }: Receipt,
  state: "DELIVERED" | "UNDELIVERED",
) {
  return {
    carrierNo,
    segments,
    resultCode: code,
    resultText: text,
    state: ({ DELIVERED: "DELIVERED", UNDELIVERED: "FAILED" } as const)[state],
  };
}

type Key = Parameters<typeof repo.markAsked>[1];

async function waitOn(db: Db, key: Key, checks: number): Promise<void> {
  const seconds = receiptSeconds(checks + 1);
  await repo.markAsked(db, key, { seconds, resultCode: seconds === null ? "NO_RECEIPT" : "" });
}

async function lookOn(db: Db, key: Key, checks: number): Promise<void> {
  const seconds = lookSeconds(checks + 1);
  if (seconds !== null) {
    await repo.markAsked(db, key, { seconds, resultCode: "UNKNOWN" });
    return;
  }
  await releaseSmsCredit(db, key);
  await repo.markFailed(db, key, { resultCode: "LOST", resultText: "" });
  smsFailures.inc({ reason: "LOST" });
}
