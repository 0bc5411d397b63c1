// Sends subscribe messages to WeChat at most once, settles the result, and falls back to a text message.
import type { Db } from "../../../platform/db/db.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { subscribeAttempts } from "../../../platform/metrics.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { defineAct, defineWork, type Work } from "../../../platform/work/work.ts";
import { type MiniPrograms, type OpenMiniProgram, WechatRefusal } from "../mini-program/index.ts";
import { queueSms } from "../sms/index.ts";
import { contentOwner, type SubscribeContent } from "./send-message.service.ts";
import { endAllowance, returnAllowance } from "./subscribe-allowance.sql.ts";
import * as repo from "./subscribe-message.sql.ts";
import { writeProblem } from "./template.sql.ts";

/** Concurrent requests to WeChat: of one process, and of one tenant. */
const PARALLEL = 24;
const PER_TENANT = 8;

/**
 * Codes and notices are works of their own, so that a code does not wait behind notices. A tenant whose WeChat is unavailable
 * waits for the next minute.
 */
export function subscribeWork(kind: repo.MessageKind, miniPrograms: MiniPrograms): Work {
  return defineWork<repo.Claimed, Outcome>({
    name: `template.send.${kind}`,
    queue: repo.queuedMessages(kind),
    parallel: PARALLEL,
    perTenant: PER_TENANT,
    claim: (db, { tenantId, key }) => repo.claimDue(db, { tenantId, id: Number(key) }),
    async run(message, _context, { database }) {
      const opened = await miniPrograms.open(database, message.tenantId);
      const outcome = await outcomeOf(database.vault, opened, message);
      subscribeAttempts.inc({ outcome: wordOf(outcome) });
      return outcome;
    },
    settle,
    pausesTenant: (outcome) => outcome instanceof WechatRefusal && outcome.trouble === "BUSY",
  });
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

/** Ends messages of killed processes: WeChat may have received them. */
export const lostWork: Work = defineAct({
  ...{ name: "template.giveUpLost", queue: repo.lostMessages, parallel: 1 },
  async act(db, { tenantId, key }) {
    const message = await repo.lockMessage(db, { tenantId, id: Number(key) }, ["SENDING"]);
    if (message) await failed(db, message, { state: "UNKNOWN", problem: LOST });
  },
});
