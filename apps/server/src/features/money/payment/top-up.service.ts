// Top-up by WeChat: created, credited exactly once through whichever channel reports it, or closed.
import { randomBytes } from "node:crypto";
import { shanghaiClock } from "@cabinet/contract/kit/shanghai.rules.ts";
import { noticeUrl } from "@cabinet/contract/money/payment/payment.rules.ts";
import type { TopUpState } from "@cabinet/contract/money/wallet/wallet.rules.ts";
import { type Actor, systemActor } from "../../../platform/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { countAsk } from "../../../platform/limits/rate-limit.sql.ts";
import { postJournal } from "../ledger/index.ts";
import { reportDifference } from "./difference.sql.ts";
import { merchantOf, openPayment, type PaymentParts } from "./merchant.cache.ts";
import { type MoneyKey, prepaySoon, settleSoon } from "./payment.queue.ts";
import { topUpAppId, troubleText } from "./payment-setting.service.ts";
import { findSetting } from "./payment-setting.sql.ts";
import * as repo from "./top-up.sql.ts";
import { type PaymentService, type Trade, WechatPayRefusal } from "./wechat-pay.client.ts";
import { type PayParams, payParamsOf } from "./wechat-signature.crypto.ts";

/** Payment deadline: an unpaid order is closed after it. */
const PAY_MINUTES = 30;

/** Marks our payments among others of the same merchant. */
export function attachOf(tenantId: number): string {
  return `CABINET-${tenantId}`;
}

/** `CZ20261121123005` plus 5 random bytes: at most 32 letters and digits, as WeChat requires. */
export function newPaymentNo(prefix: "CZ" | "TK"): string {
  const shanghai = shanghaiClock(Date.now()).replace(/\D/g, "");
  return `${prefix}${shanghai.slice(0, 14)}${randomBytes(5).toString("hex").toUpperCase()}`;
}

export interface OnlineTopUp {
  tenantId: number;
  endUserId: number;
  payer: repo.TopUpDraft["payer"];
  principalFen: number;
  bonusFen: number;
  packageId: number | null;
  actor: Actor;
}

/** Runs in the caller's transaction; WeChat is called after commit. Refuses without a setting. */
export async function startOnlineTopUp(
  db: Db,
  topUp: OnlineTopUp,
): Promise<{ topUpId: number; outTradeNo: string }> {
  const { tenantId } = topUp;
  if (!(await topUpAppId(db, tenantId))) refuse("TOP_UP_OFFLINE");
  const outTradeNo = newPaymentNo("CZ");
  const id = await repo.insertTopUp(db, { ...topUp, outTradeNo, minutes: PAY_MINUTES });
  await prepaySoon(db, { tenantId, id });
  return { topUpId: id, outTradeNo };
}

export interface TopUpProgress {
  state: TopUpState;
  principalFen: number;
  bonusFen: number;
  /** Payment parameters, available once WeChat has accepted the order. */
  payParams: PayParams | null;
  /** The same for a browser outside of WeChat. */
  payUrl: string | null;
  problem: string | null;
}

/** Between two queries that a waiting payer causes. */
const ASKED_EVERY_SECONDS = 5;

/**
 * Null if this person has no such top-up. While it may have been paid, the payer's look causes a query at WeChat: also after
 * its time, for a payment of the last moment.
 */
export async function topUpProgress(
  db: Db,
  { tenantId, endUserId, topUpId }: { tenantId: number; endUserId: number; topUpId: number },
): Promise<TopUpProgress | null> {
  const topUp = await repo.findTopUp(db, { tenantId, id: topUpId });
  if (topUp?.endUserId !== endUserId) return null;
  const { state, principalFen, bonusFen, problem, prepayId } = topUp;
  const mayBePaid = state === "CREATED" && !topUp.isExpired;
  if (state === "CREATED" && (prepayId || topUp.payUrl)) {
    const once = [{ max: 1, seconds: ASKED_EVERY_SECONDS }];
    const wait = await countAsk(db, `top-up-query:${tenantId}:${topUpId}`, once);
    if (wait === 0) await settleSoon(db, { tenantId, id: topUpId });
  }
  const payUrl = mayBePaid ? topUp.payUrl : null;
  const setting = mayBePaid && prepayId ? await findSetting(db, tenantId) : null;
  const payParams =
    setting && prepayId ? payParamsOf(merchantOf(db.vault, setting), prepayId) : null;
  return { state, principalFen, bonusFen, payParams, payUrl, problem };
}

/** Creates the payment at WeChat; throws if a retry may help. */
export async function prepay(parts: PaymentParts, key: MoneyKey): Promise<void> {
  const scope = { tenantId: key.tenantId };
  const topUp = await parts.database.read(scope, (db) => repo.findTopUp(db, key));
  const isOrdered = topUp?.prepayId || topUp?.payUrl;
  const isWaiting = topUp?.state === "CREATED" && !isOrdered && !topUp.isExpired;
  if (!isWaiting || !topUp.outTradeNo || !topUp.expiresAt) return;
  const { openid, payerAddress } = topUp;
  const opened = await openPayment(parts, key.tenantId);
  if (!opened) return;
  const { setting, service } = opened;
  try {
    const order = {
      outTradeNo: topUp.outTradeNo,
      description: "钱包充值",
      fen: topUp.principalFen,
      expiresAt: topUp.expiresAt,
      noticeUrl: noticeUrl(setting.noticeOrigin, key.tenantId),
      attach: attachOf(key.tenantId),
    };
    const ordered = openid
      ? { prepayId: await service.prepay(order, openid) }
      : payerAddress && { payUrl: await service.prepayInBrowser(order, payerAddress) };
    if (!ordered) return;
    await parts.database.transaction(scope, (db) => repo.writePrepay(db, key, ordered));
  } catch (error) {
    const text = troubleText(error);
    const isFinal = error instanceof WechatPayRefusal && error.isFinal;
    await parts.database.transaction(scope, (db) =>
      isFinal ? repo.closeTopUp(db, key, text) : repo.writeTopUpProblem(db, key, text),
    );
    if (!isFinal) throw error;
  }
}

/**
 * Queries the payment state of a top-up at WeChat; an unpaid expired one is closed there and here.
 */
export async function settle(parts: PaymentParts, key: MoneyKey): Promise<void> {
  const { database } = parts;
  const scope = { tenantId: key.tenantId };
  const topUp = await database.transaction(scope, async (db) => {
    await repo.checkLater(db, "top_up", key);
    return repo.findTopUp(db, key);
  });
  const opened = await openPayment(parts, key.tenantId);
  if (!topUp?.outTradeNo || topUp.channel !== "WECHAT" || !opened) return;
  const trade = await opened.service.findTrade(topUp.outTradeNo);
  if (trade?.trade_state === "SUCCESS") {
    await database.transaction(scope, (db) =>
      creditTrade(db, key.tenantId, opened.setting.mchid, trade),
    );
    return;
  }
  if (topUp.state !== "CREATED") return;
  if (trade && ["CLOSED", "REVOKED", "PAYERROR", "REFUND"].includes(trade.trade_state)) {
    const text = trade.trade_state_desc ?? trade.trade_state;
    await database.transaction(scope, (db) => repo.closeTopUp(db, key, `微信支付：${text}`));
  } else if (topUp.isExpired && (!trade || (await isClosed(opened.service, topUp.outTradeNo)))) {
    await database.transaction(scope, (db) => repo.closeTopUp(db, key, "超时未支付"));
  }
}

/** False if it was paid at the last moment: the next query finds the payment. */
async function isClosed(service: PaymentService, outTradeNo: string): Promise<boolean> {
  try {
    await service.closeTrade(outTradeNo);
    return true;
  } catch (error) {
    if (error instanceof WechatPayRefusal && error.code === "ORDERPAID") return false;
    throw error;
  }
}

/** Applies a payment reported by WeChat, by notice or query. */
export async function creditTrade(
  db: Db,
  tenantId: number,
  mchid: string,
  trade: Trade,
): Promise<void> {
  if (trade.mchid !== mchid || !trade.transaction_id) return;
  await creditPaid(db, {
    tenantId,
    outTradeNo: trade.out_trade_no,
    transactionNo: trade.transaction_id,
    fen: trade.amount?.currency === "CNY" ? trade.amount.total : 0,
    paidAt: trade.success_time ?? new Date().toISOString(),
  });
}

export interface PaidTrade {
  tenantId: number;
  outTradeNo: string;
  transactionNo: string;
  fen: number;
  paidAt: string;
}

/**
 * Credits a payment to its wallet once, however often it is reported. If it cannot be credited,
 * records a difference and returns its state, else null.
 */
export async function creditPaid(db: Db, paid: PaidTrade): Promise<"OPEN" | "KNOWN" | null> {
  const { tenantId, outTradeNo, transactionNo, fen } = paid;
  const topUp = await repo.lockTopUpByNo(db, tenantId, outTradeNo);
  const about = {
    tenantId,
    at: paid.paidAt,
    subject: outTradeNo,
    transactionNo,
    actualFen: fen,
    endUserId: topUp?.endUserId ?? null,
    topUpId: topUp?.id ?? null,
    expectedFen: topUp?.principalFen ?? null,
  };
  const detail = `微信支付单号 ${transactionNo}`;
  if (!topUp) return reportDifference(db, { ...about, kind: "PAID_UNKNOWN", detail });
  if (fen !== topUp.principalFen) {
    await repo.closeTopUp(db, topUp, "付款金额与充值单不符，已转人工处理");
    return reportDifference(db, { ...about, kind: "PAID_AMOUNT", detail });
  }
  // The ledger has nothing of a payment for a closed top-up, or of a second one.
  const uncredited = { ...about, expectedFen: 0, detail };
  if (topUp.state === "CLOSED") return reportDifference(db, { ...uncredited, kind: "PAID_CLOSED" });
  if (topUp.state === "CREATED") {
    await credit(db, topUp, transactionNo, paid.paidAt, systemActor);
    return null;
  }
  if (topUp.transactionNo === transactionNo) return null;
  const subject = `${outTradeNo} ${transactionNo}`;
  return reportDifference(db, { ...uncredited, kind: "PAID_TWICE", subject });
}

/** The caller holds the row lock and has checked that nothing was credited for it. */
export async function credit(
  db: Db,
  topUp: repo.TopUpRow,
  transactionNo: string,
  paidAt: string,
  actor: Actor,
  reason?: string,
): Promise<void> {
  await repo.markPaid(db, topUp, transactionNo, paidAt);
  await postJournal(db, {
    tenantId: topUp.tenantId,
    endUserId: topUp.endUserId,
    kind: "RECHARGE",
    channel: "WECHAT",
    principalFen: topUp.principalFen,
    bonusFen: topUp.bonusFen,
    bizType: "TOP_UP",
    bizId: String(topUp.id),
    actor,
    ...(reason && { reason }),
  });
}
