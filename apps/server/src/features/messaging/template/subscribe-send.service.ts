// Sends subscribe messages to WeChat at most once, settles the result, and falls back to a text message.
import type { Database, Db } from "../../../platform/db/db.ts";
import { pushLive } from "../../../platform/http/live.ts";
import type { Log } from "../../../platform/log.ts";
import { subscribeAttempts } from "../../../platform/metrics.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { type MiniPrograms, type OpenMiniProgram, WechatRefusal } from "../mini-program/index.ts";
import { queueSms } from "../sms/index.ts";
import { contentOwner, type SubscribeContent } from "./send-message.service.ts";
import { endAllowance, returnAllowance } from "./subscribe-allowance.sql.ts";
import * as repo from "./subscribe-message.sql.ts";
import { writeProblem } from "./template.sql.ts";

/** Concurrent requests to WeChat per tenant. */
const AT_ONCE = 8;

/** Dependencies of sending. */
export interface SendTools {
  database: Database;
  log: Log;
  miniPrograms: MiniPrograms;
}

/** Sends until nothing is due or WeChat is unavailable; the rest then waits for the next run, a minute later. */
export async function sendDue(tools: SendTools, tenantId: number): Promise<void> {
  const { database, miniPrograms } = tools;
  for (;;) {
    const claimed = await database.transaction({ tenantId }, (db) =>
      repo.claimDue(db, tenantId, AT_ONCE),
    );
    if (claimed.length === 0) return;
    const opened = await miniPrograms.open(database, tenantId);
    const isWell = await Promise.all(claimed.map((message) => send(tools, opened, message)));
    if (isWell.includes(false)) return;
  }
}

/** Sends one message; false when WeChat is unavailable. */
async function send(
  { database, log }: SendTools,
  opened: OpenMiniProgram | null,
  message: repo.Claimed,
): Promise<boolean> {
  const outcome = await outcomeOf(database.vault, opened, message);
  subscribeAttempts.inc({ outcome: wordOf(outcome) });
  await database
    .transaction({ tenantId: message.tenantId }, (db) => settle(db, message, outcome))
    .catch((error) => log.error({ err: error, id: message.id }, "subscribe message not settled"));
  return !(outcome instanceof WechatRefusal && outcome.trouble === "BUSY");
}

/** A taken message has WeChat's msgId. */
type Outcome = { msgId: string | null } | WechatRefusal;

function wordOf(outcome: Outcome): string {
  if (!(outcome instanceof WechatRefusal)) return "SENT";
  return outcome.isUncertain ? "UNKNOWN" : outcome.trouble;
}

async function outcomeOf(
  vault: Vault,
  opened: OpenMiniProgram | null,
  message: repo.Claimed,
): Promise<Outcome> {
  const { openid, templateId, appId, sealedContent } = message;
  if (opened?.setting.appId !== appId) {
    return new WechatRefusal("SETTING", "小程序已更换：用户须在新的小程序中重新订阅");
  }
  if (openid === null || sealedContent.length === 0) {
    return new WechatRefusal("PERSON", "用户已注销，或已不在小程序中");
  }
  const content = openContent(vault, message);
  if (!content) return new WechatRefusal("SETTING", UNREADABLE);
  const { page, data } = content;
  try {
    return { msgId: await opened.service.send({ openid, templateId, page, data }) };
  } catch (error) {
    if (error instanceof WechatRefusal) return error;
    throw error;
  }
}

async function settle(db: Db, { tenantId, id }: repo.MessageKey, outcome: Outcome): Promise<void> {
  if (!(outcome instanceof WechatRefusal)) {
    // The message was given up as UNKNOWN but did arrive, or its receipt overtook this reply.
    const message = await repo.lockMessage(db, { tenantId, id }, ["SENDING", "UNKNOWN"]);
    if (!message) return;
    const { msgId } = outcome;
    const keepsContent = message.hasFallback && msgId !== null;
    await repo.settleMessage(db, message, { state: "SENT", msgId, keepsContent });
    await writeProblem(db, message, "");
    await pushOf(db, tenantId);
    return;
  }
  const message = await repo.lockMessage(db, { tenantId, id }, ["SENDING"]);
  if (!message) return;
  const { trouble, message: problem, errcode, isUncertain } = outcome;
  const mayTryAgain = trouble === "BUSY" && !isUncertain && !message.hasFallback;
  if (mayTryAgain && message.attempts < repo.MAX_ATTEMPTS) {
    await repo.postponeMessage(db, message, problem);
    await pushOf(db, tenantId);
    return;
  }
  if (trouble === "TEMPLATE") await writeProblem(db, message, problem);
  if (trouble === "PERSON") await endAllowance(db, message);
  else if (message.isCounted && !isUncertain) await returnAllowance(db, message);
  const state = isUncertain ? "UNKNOWN" : "FAILED";
  await failed(db, message, { state, errorCode: errcode, problem });
}

/** Settles the message as failed and queues the fallback text message, if it has one. */
export async function failed(
  db: Db,
  message: repo.Claimed,
  settlement: repo.Settlement,
): Promise<void> {
  const smsId = await fallBack(db, message);
  await repo.settleMessage(db, message, { ...settlement, smsId });
  await pushOf(db, message.tenantId);
}

/** 通知记录 lists both kinds of messages, so both publish on the live topic `sms`. */
export function pushOf(db: Db, tenantId: number): Promise<void> {
  return pushLive(db, { tenantId, topic: "sms", cabinetId: null });
}

async function fallBack(db: Db, message: repo.Claimed): Promise<number | null> {
  if (!message.hasFallback || message.sealedContent.length === 0) return null;
  if (await repo.isSuperseded(db, message)) return null;
  const sms = openContent(db.vault, message)?.sms;
  return sms ? queueSms(db, sms) : null;
}

const UNREADABLE = "消息内容无法解密，未发送：请检查 secret.key 是否属于本系统";

/** Null when sealed by another installation: one unreadable message must not block the others. */
function openContent(
  vault: Vault,
  { tenantId, endUserId, sealedContent }: repo.Claimed,
): SubscribeContent | null {
  try {
    return JSON.parse(vault.open(sealedContent, contentOwner(tenantId, endUserId)));
  } catch {
    return null;
  }
}

const LOST = "服务在发送途中中断，不知道微信是否收到：为免重复，不再发送";
/** Batch size of lost messages per run; the rest waits for the next minute. */
const A_MINUTE = 200;

/** Recovers stuck messages (lost, due but unsent) and erases old contents. */
export async function sweep(tools: SendTools): Promise<void> {
  const { database, log } = tools;
  const { tenantIds, lost } = await database.read("platform", (db) =>
    repo.findUnfinished(db, A_MINUTE),
  );
  for (const key of lost) await giveUp(database, key);
  for (const tenantId of tenantIds) {
    await sendDue(tools, tenantId).catch((error) =>
      log.error({ err: error, tenantId }, "subscribe messages not sent"),
    );
  }
  await database.transaction("platform", repo.forgetOld);
}

function giveUp(database: Database, key: repo.MessageKey): Promise<void> {
  return database.transaction({ tenantId: key.tenantId }, async (db) => {
    const message = await repo.lockMessage(db, key, ["SENDING"]);
    if (message) await failed(db, message, { state: "UNKNOWN", problem: LOST });
  });
}
