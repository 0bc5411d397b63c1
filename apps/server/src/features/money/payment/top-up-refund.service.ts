// Top-up refunds: the money leaves the wallet at the request and returns if WeChat cannot pay it
// out.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import type {
  paymentContract,
  TopUpPayment,
} from "@cabinet/contract/money/payment/payment.contract.ts";
import {
  bonusTakenBack,
  noticeUrl,
  refundableFen,
} from "@cabinet/contract/money/payment/payment.rules.ts";
import { operatorActor, systemActor } from "../../../platform/actor.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { lockWallets, postJournal, spendable, walletOf } from "../ledger/index.ts";
import { reportDifference } from "./difference.sql.ts";
import { openPayment, type PaymentParts } from "./merchant.cache.ts";
import { type MoneyKey, refundSoon, settleSoon } from "./payment.queue.ts";
import { troubleText } from "./payment-setting.service.ts";
import { findSetting } from "./payment-setting.sql.ts";
import { newPaymentNo } from "./top-up.service.ts";
import * as repo from "./top-up.sql.ts";
import { type PaymentService, type Refund, WechatPayRefusal } from "./wechat-pay.client.ts";

const what = "充值记录";

async function requireTopUp(ctx: Ctx, id: number): Promise<MoneyKey> {
  return (await repo.findVisibleTopUp(ctx.db, ctx.session, id)) ?? refuse("NOT_FOUND", { what });
}

export async function getTopUpPayment(ctx: Ctx, id: number): Promise<TopUpPayment> {
  const key = await requireTopUp(ctx, id);
  const [topUp, refunds] = await Promise.all([
    repo.findTopUp(ctx.db, key),
    repo.findTopUpRefunds(ctx.db, key),
  ]);
  if (!topUp) refuse("NOT_FOUND", { what });
  const free = spendable(await walletOf(ctx.db, topUp));
  const isPaid = topUp.state === "PAID" || topUp.state === "PARTIAL_REFUND";
  return {
    outTradeNo: topUp.outTradeNo ?? "",
    transactionNo: topUp.transactionNo,
    channel: topUp.channel,
    expiresAt: topUp.expiresAt,
    problem: topUp.problem,
    principalFen: topUp.principalFen,
    bonusFen: topUp.bonusFen,
    refundedPrincipalFen: topUp.refundedPrincipalFen,
    refundedBonusFen: topUp.refundedBonusFen,
    spendablePrincipalFen: free.principalFen,
    spendableBonusFen: free.bonusFen,
    refundableFen: isPaid ? refundableFen(topUp, free) : 0,
    refunds,
  };
}

type Draft = Input<typeof paymentContract.refundTopUp>["body"];

/** Refunds unspent principal only, and takes the bonus back in proportion. */
export async function refundTopUp(
  ctx: Ctx,
  id: number,
  { fen, reason }: Draft,
): Promise<{ id: number; bonusFen: number }> {
  const topUp = await repo.lockTopUp(ctx.db, await requireTopUp(ctx, id));
  if (!topUp) refuse("NOT_FOUND", { what });
  const { tenantId, endUserId, channel } = topUp;
  if (topUp.state === "CREATED" || topUp.state === "CLOSED") {
    const state = { CREATED: "待支付", CLOSED: "已关闭" }[topUp.state];
    refuse("STATE_NOT_ALLOWED", { what: "充值", state, action: "退款" });
  }
  if (channel === "WECHAT" && !(await findSetting(ctx.db, tenantId))) refuse("TOP_UP_REFUND_UNSET");
  await lockWallets(ctx.db, tenantId, [endUserId]);
  const free = spendable(await walletOf(ctx.db, topUp));
  const max = refundableFen(topUp, free);
  if (fen > max) refuse("TOP_UP_REFUND_TOO_MUCH", { max: yuanOfFen(max) });
  const bonusFen = bonusTakenBack(topUp, fen, free);
  const actor = operatorActor(ctx.session);
  const refundId = await repo.insertRefund(ctx.db, {
    topUp,
    outRefundNo: newPaymentNo("TK"),
    principalFen: fen,
    bonusFen,
    state: ({ CASH: "DONE", WECHAT: "PROCESSING" } as const)[channel],
    reason,
    actor,
  });
  await postJournal(ctx.db, {
    tenantId,
    endUserId,
    kind: "RECHARGE_REFUND",
    channel,
    principalFen: -fen,
    bonusFen: bonusFen === 0 ? 0 : -bonusFen,
    bizType: "TOP_UP_REFUND",
    bizId: String(refundId),
    basis: `${id} ${topUp.state} ${topUp.refundedPrincipalFen} ${topUp.refundedBonusFen}`,
    actor,
    reason,
  });
  await repo.addRefunded(ctx.db, topUp, fen, bonusFen);
  if (channel === "WECHAT") await refundSoon(ctx.db, { tenantId, id: refundId });
  ctx.audit({
    tenantId,
    target: `充值 ${topUp.outTradeNo ?? id}`,
    reason,
    after: { principalFen: fen, bonusFen, channel },
  });
  return { id: refundId, bonusFen };
}

export async function askToCheckTopUp(ctx: Ctx, id: number): Promise<null> {
  const topUp = await repo.findTopUp(ctx.db, await requireTopUp(ctx, id));
  if (!topUp) refuse("NOT_FOUND", { what });
  const { tenantId, outTradeNo } = topUp;
  if (topUp.channel === "CASH") {
    refuse("STATE_NOT_ALLOWED", { what: "充值", state: "线下收款", action: "向微信支付核实" });
  }
  await settleSoon(ctx.db, topUp);
  for (const refund of await repo.findTopUpRefunds(ctx.db, topUp)) {
    if (refund.state === "PROCESSING" || refund.state === "ABNORMAL") {
      await refundSoon(ctx.db, { tenantId, id: refund.id });
    }
  }
  ctx.audit({ tenantId, target: `充值 ${outTradeNo}` });
  return null;
}

/** Sends the refund to WeChat or queries its state; WeChat pays one refund number out once. */
export async function pushRefund(parts: PaymentParts, key: MoneyKey): Promise<void> {
  const { database } = parts;
  const scope = { tenantId: key.tenantId };
  const refund = await database.transaction(scope, async (db) => {
    await repo.checkLater(db, "top_up_refund", key);
    return repo.findRefund(db, key);
  });
  const isOpen = refund?.state === "PROCESSING" || refund?.state === "ABNORMAL";
  const opened = await openPayment(parts, key.tenantId);
  if (!refund || !isOpen || !opened) return;
  try {
    const url = noticeUrl(opened.setting.noticeOrigin, key.tenantId);
    const answer = await answerOf(opened.service, refund, url);
    await database.transaction(scope, (db) =>
      answer instanceof WechatPayRefusal
        ? giveBack(db, key, troubleText(answer))
        : takeRefundAnswer(db, key, answer),
    );
  } catch (error) {
    const text = troubleText(error);
    await database.transaction(scope, (db) => repo.writeRefundProblem(db, key, text));
  }
}

/** The refund's state at WeChat, or its final refusal; throws while the outcome is unknown. */
async function answerOf(
  service: PaymentService,
  refund: repo.RefundRow,
  url: string,
): Promise<Refund | WechatPayRefusal> {
  const known = refund.acceptedAt ? await service.findRefund(refund.outRefundNo) : null;
  if (known) return known;
  try {
    return await service.refund({
      outTradeNo: refund.outTradeNo ?? "",
      outRefundNo: refund.outRefundNo,
      fen: refund.principalFen,
      totalFen: refund.totalFen,
      reason: refund.reason,
      noticeUrl: url,
    });
  } catch (error) {
    if (!(error instanceof WechatPayRefusal && error.isFinal) || refund.acceptedAt) throw error;
    // An earlier request may have been accepted and its answer lost: its state wins.
    return (await service.findRefund(refund.outRefundNo)) ?? error;
  }
}

/** Applies WeChat's state of a refund, from answers and notices in any order, idempotently. */
export async function takeRefundAnswer(db: Db, key: MoneyKey, answer: Refund): Promise<void> {
  const refund = await repo.lockRefund(db, key);
  if (!refund || refund.state === "DONE") return;
  const { tenantId, endUserId, topUpId, principalFen, outRefundNo } = refund;
  const about = { tenantId, endUserId, topUpId, subject: outRefundNo, expectedFen: principalFen };
  if (refund.state === "FAILED") {
    if (answer.status !== "SUCCESS") return;
    // The money is already back in the wallet: it was paid out twice.
    const detail = `微信退款单号 ${answer.refund_id}，钱包中已退回`;
    const actualFen = answer.amount.refund;
    await reportDifference(db, {
      ...about,
      kind: "REFUND_NOT_HERE",
      expectedFen: null,
      actualFen,
      detail,
    });
    return;
  }
  if (answer.amount.refund !== principalFen) {
    const detail = `微信退款单号 ${answer.refund_id}`;
    const actualFen = answer.amount.refund;
    await reportDifference(db, { ...about, kind: "REFUND_AMOUNT", actualFen, detail });
    return;
  }
  const base = { refundNo: answer.refund_id, at: answer.success_time ?? null };
  switch (answer.status) {
    case "SUCCESS":
      return repo.writeRefundAnswer(db, key, { ...base, state: "DONE", problem: null });
    case "PROCESSING":
      return repo.writeRefundAnswer(db, key, { ...base, state: "PROCESSING", problem: null });
    case "ABNORMAL": {
      const problem = "用户的收款账户异常：请登录微信支付商户平台处理这笔退款";
      await repo.writeRefundAnswer(db, key, { ...base, state: "ABNORMAL", problem });
      const detail = `微信退款单号 ${answer.refund_id}`;
      await reportDifference(db, { ...about, kind: "REFUND_ABNORMAL", actualFen: null, detail });
      return;
    }
    case "CLOSED":
      return giveBack(db, key, "微信支付关闭了这笔退款");
  }
}

/** Returns the money to the wallet it was taken from. */
async function giveBack(db: Db, key: MoneyKey, problem: string): Promise<void> {
  const refund = await repo.lockRefund(db, key);
  if (!refund || refund.state === "FAILED" || refund.state === "DONE") return;
  const { tenantId, endUserId, principalFen, bonusFen } = refund;
  await repo.failRefund(db, key, problem);
  await repo.addRefunded(db, { tenantId, id: refund.topUpId }, -principalFen, -bonusFen);
  await postJournal(db, {
    tenantId,
    endUserId,
    kind: "RECHARGE",
    channel: "WECHAT",
    principalFen,
    bonusFen,
    bizType: "TOP_UP_REFUND_BACK",
    bizId: String(key.id),
    actor: systemActor,
    reason: `充值退款未成功：${problem}`.slice(0, 200),
  });
}
