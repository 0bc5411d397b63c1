// Top-ups by WeChat in SQL: from the order to the payment, and their refunds.
import type { TopUpRefund } from "@cabinet/contract/money/payment/payment.contract.ts";
import type { TopUpRefundState } from "@cabinet/contract/money/payment/payment.rules.ts";
import type { TopUpState } from "@cabinet/contract/money/wallet/wallet.rules.ts";
import type { Actor } from "../../../platform/actor.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { personPredicate } from "../../organization/store/index.ts";
import type { MoneyKey } from "./payment.queue.ts";

export interface TopUpRow extends MoneyKey {
  endUserId: number;
  channel: "CASH" | "WECHAT";
  state: TopUpState;
  principalFen: number;
  bonusFen: number;
  refundedPrincipalFen: number;
  refundedBonusFen: number;
  outTradeNo: string | null;
  transactionNo: string | null;
  openid: string | null;
  /** Address of a payer in a browser outside of WeChat, until WeChat has taken the order. */
  payerAddress: string | null;
  prepayId: string | null;
  /** Page on which a browser outside of WeChat pays. */
  payUrl: string | null;
  expiresAt: string | null;
  problem: string | null;
  checks: number;
  isExpired: boolean;
}

const columns = sql`
  tenant_id, id, end_user_id, channel, state, principal_fen, bonus_fen, refunded_principal_fen,
  refunded_bonus_fen, out_trade_no, transaction_no, openid, host(payer_address) as payer_address, prepay_id, pay_url,
  expires_at, problem, checks,
  coalesce(expires_at <= now(), false) as is_expired`;

export function findTopUp(db: Db, { tenantId, id }: MoneyKey): Promise<TopUpRow | null> {
  return db.maybe(sql`select ${columns} from top_up where tenant_id = ${tenantId} and id = ${id}`);
}

export function lockTopUp(db: Db, { tenantId, id }: MoneyKey): Promise<TopUpRow | null> {
  return db.maybe(sql`
    select ${columns} from top_up where tenant_id = ${tenantId} and id = ${id} for update`);
}

export function lockTopUpByNo(
  db: Db,
  tenantId: number,
  outTradeNo: string,
): Promise<TopUpRow | null> {
  return db.maybe(sql`
    select ${columns} from top_up
    where tenant_id = ${tenantId} and out_trade_no = ${outTradeNo} for update`);
}

/** The top-up if this account may see it. */
export async function findVisibleTopUp(
  db: Db,
  session: Session,
  id: number,
): Promise<MoneyKey | null> {
  return db.maybe(sql`
    select tenant_id, id from top_up
    where id = ${id} and ${personPredicate(session, sql`top_up.tenant_id`, sql`top_up.end_user_id`)}`);
}

export interface TopUpDraft {
  tenantId: number;
  endUserId: number;
  /** Openid of the payer in the tenant's mini-program, or address of a browser outside of WeChat. */
  payer: { openid: string } | { address: string };
  principalFen: number;
  bonusFen: number;
  packageId: number | null;
  outTradeNo: string;
  minutes: number;
  actor: Actor;
}

export async function insertTopUp(db: Db, draft: TopUpDraft): Promise<number> {
  const { actor, payer } = draft;
  const { id } = await db.one<{ id: number }>(sql`
    insert into top_up (tenant_id, end_user_id, channel, principal_fen, bonus_fen, package_id,
      out_trade_no, openid, payer_address, expires_at, next_check_at, actor_kind, actor_id, actor_name)
    values (${draft.tenantId}, ${draft.endUserId}, 'WECHAT', ${draft.principalFen},
      ${draft.bonusFen}, ${draft.packageId}, ${draft.outTradeNo},
      ${"openid" in payer ? payer.openid : null}, ${"address" in payer ? payer.address : null},
      now() + make_interval(mins => ${draft.minutes}), now() + interval '1 minute',
      ${actor.kind}, ${actor.id}, ${actor.name})
    returning id`);
  return id;
}

export async function writePrepay(
  db: Db,
  { tenantId, id }: MoneyKey,
  { prepayId = null, payUrl = null }: { prepayId?: string | null; payUrl?: string | null },
): Promise<void> {
  await db.run(sql`
    update top_up set prepay_id = ${prepayId}, pay_url = ${payUrl}, payer_address = null,
      problem = null
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function writeTopUpProblem(
  db: Db,
  { tenantId, id }: MoneyKey,
  problem: string,
): Promise<void> {
  await db.run(sql`
    update top_up set problem = ${problem} where tenant_id = ${tenantId} and id = ${id}`);
}

/** Closes only an unpaid top-up. */
export async function closeTopUp(
  db: Db,
  { tenantId, id }: MoneyKey,
  problem: string | null,
): Promise<void> {
  await db.run(sql`
    update top_up set state = 'CLOSED', next_check_at = null, problem = ${problem}
    where tenant_id = ${tenantId} and id = ${id} and state = 'CREATED'`);
}

export async function markPaid(
  db: Db,
  { tenantId, id }: MoneyKey,
  transactionNo: string,
  paidAt: string,
): Promise<void> {
  await db.run(sql`
    update top_up set state = 'PAID', transaction_no = ${transactionNo}, paid_at = ${paidAt},
      next_check_at = null, problem = null
    where tenant_id = ${tenantId} and id = ${id}`);
}

/**
 * Schedules the next check with backoff, at most ten minutes, once the last one is due: a payer's own look changes no plan.
 * False: it was not due.
 */
export async function checkLater(
  db: Db,
  table: "top_up" | "top_up_refund",
  { tenantId, id }: MoneyKey,
): Promise<boolean> {
  const next = sql`checks = checks + 1,
    next_check_at = now() + make_interval(mins => least(10, power(2, least(checks, 8))::int))`;
  const one = sql`tenant_id = ${tenantId} and id = ${id} and next_check_at <= now()`;
  const rows = await db.run(
    table === "top_up"
      ? sql`update top_up set ${next} where ${one}`
      : sql`update top_up_refund set ${next} where ${one}`,
  );
  return rows > 0;
}

export const checkQueues = {
  top_up: sql`select tenant_id, id::text as key, next_check_at as due_at from top_up
    where next_check_at is not null`,
  top_up_refund: sql`select tenant_id, id::text as key, next_check_at as due_at from top_up_refund
    where next_check_at is not null`,
};

export interface RefundRow extends MoneyKey {
  topUpId: number;
  endUserId: number;
  channel: "CASH" | "WECHAT";
  outTradeNo: string | null;
  totalFen: number;
  outRefundNo: string;
  principalFen: number;
  bonusFen: number;
  state: TopUpRefundState;
  reason: string;
  acceptedAt: string | null;
}

const refundColumns = sql`
  refund.tenant_id, refund.id, refund.top_up_id, top_up.end_user_id, top_up.channel,
  top_up.out_trade_no, top_up.principal_fen as total_fen, refund.out_refund_no,
  refund.principal_fen, refund.bonus_fen, refund.state, refund.reason, refund.accepted_at`;
const refunds = sql`
  top_up_refund refund join top_up on top_up.tenant_id = refund.tenant_id
    and top_up.id = refund.top_up_id`;

export function findRefund(db: Db, { tenantId, id }: MoneyKey): Promise<RefundRow | null> {
  return db.maybe(sql`
    select ${refundColumns} from ${refunds} where refund.tenant_id = ${tenantId} and refund.id = ${id}`);
}

/** Lock order: the top-up's row before its refund's. */
export async function lockRefund(db: Db, { tenantId, id }: MoneyKey): Promise<RefundRow | null> {
  await db.run(sql`
    select from top_up where tenant_id = ${tenantId} and id = (
      select top_up_id from top_up_refund where tenant_id = ${tenantId} and id = ${id})
    for update`);
  return db.maybe(sql`
    select ${refundColumns} from ${refunds}
    where refund.tenant_id = ${tenantId} and refund.id = ${id} for update of refund`);
}

export async function findRefundByNo(
  db: Db,
  tenantId: number,
  outRefundNo: string,
): Promise<MoneyKey | null> {
  return db.maybe(sql`
    select tenant_id, id from top_up_refund
    where tenant_id = ${tenantId} and out_refund_no = ${outRefundNo}`);
}

export interface RefundDraft {
  topUp: TopUpRow;
  outRefundNo: string;
  principalFen: number;
  bonusFen: number;
  state: "PROCESSING" | "DONE";
  reason: string;
  actor: Actor;
}

export async function insertRefund(db: Db, draft: RefundDraft): Promise<number> {
  const { topUp, actor } = draft;
  const isDone = draft.state === "DONE";
  const { id } = await db.one<{ id: number }>(sql`
    insert into top_up_refund (tenant_id, top_up_id, out_refund_no, principal_fen, bonus_fen, state,
      reason, actor_id, actor_name, ended_at, next_check_at)
    values (${topUp.tenantId}, ${topUp.id}, ${draft.outRefundNo}, ${draft.principalFen},
      ${draft.bonusFen}, ${draft.state}, ${draft.reason}, ${actor.id}, ${actor.name},
      case when ${isDone} then now() end,
      case when not ${isDone} then now() + interval '1 minute' end)
    returning id`);
  return id;
}

/** Adds to the refunded total of a top-up; a negative amount reverts a failed refund. */
export async function addRefunded(
  db: Db,
  { tenantId, id }: MoneyKey,
  principalFen: number,
  bonusFen: number,
): Promise<void> {
  await db.run(sql`
    update top_up set refunded_principal_fen = refunded_principal_fen + ${principalFen}::bigint,
      refunded_bonus_fen = refunded_bonus_fen + ${bonusFen}::bigint,
      state = case refunded_principal_fen + ${principalFen}::bigint
        when 0 then 'PAID' when principal_fen then 'REFUNDED' else 'PARTIAL_REFUND' end
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function writeRefundAnswer(
  db: Db,
  { tenantId, id }: MoneyKey,
  answer: { refundNo: string; state: TopUpRefundState; at: string | null; problem: string | null },
): Promise<void> {
  const isEnd = answer.state !== "PROCESSING";
  await db.run(sql`
    update top_up_refund set refund_no = ${answer.refundNo}, state = ${answer.state},
      problem = ${answer.problem}, accepted_at = coalesce(accepted_at, now()),
      ended_at = case when ${isEnd} then coalesce(${answer.at}::timestamptz, now()) end,
      next_check_at = case when ${isEnd} then null else next_check_at end
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** WeChat did not accept the refund. */
export async function failRefund(db: Db, { tenantId, id }: MoneyKey, problem: string) {
  await db.run(sql`
    update top_up_refund set state = 'FAILED', problem = ${problem}, ended_at = now(),
      next_check_at = null
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function writeRefundProblem(
  db: Db,
  { tenantId, id }: MoneyKey,
  problem: string,
): Promise<void> {
  await db.run(sql`
    update top_up_refund set problem = ${problem} where tenant_id = ${tenantId} and id = ${id}`);
}

export function findTopUpRefunds(db: Db, { tenantId, id }: MoneyKey): Promise<TopUpRefund[]> {
  return db.many(sql`
    select id, out_refund_no, refund_no, principal_fen, bonus_fen, state, problem, reason,
      actor_name, created_at, ended_at
    from top_up_refund where tenant_id = ${tenantId} and top_up_id = ${id} order by id desc`);
}

/** Erases the name and the WeChat identity of a deleted person from their top-ups. */
export async function forgetPayer(
  db: Db,
  { tenantId, endUserId, name }: { tenantId: number; endUserId: number; name: string },
): Promise<void> {
  await db.run(sql`
    update top_up set openid = null, payer_address = null,
      actor_name = case when actor_kind = 'END_USER' then ${name} else actor_name end
    where tenant_id = ${tenantId} and end_user_id = ${endUserId}`);
}

export interface CashTopUp {
  tenantId: number;
  endUserId: number;
  principalFen: number;
  bonusFen: number;
  packageId: number | null;
  receiptNo: string | null;
  actor: Actor;
  reason: string;
}

/** Manual top-up: recorded as paid at once. */
export async function insertCashTopUp(db: Db, topUp: CashTopUp): Promise<number> {
  const { actor } = topUp;
  const { id } = await db.one<{ id: number }>(sql`
    insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, bonus_fen,
      package_id, transaction_no, paid_at, actor_kind, actor_id, actor_name, reason)
    values (${topUp.tenantId}, ${topUp.endUserId}, 'CASH', 'PAID', ${topUp.principalFen},
      ${topUp.bonusFen}, ${topUp.packageId}, ${topUp.receiptNo}, now(), ${actor.kind},
      ${actor.id}, ${actor.name}, ${topUp.reason})
    returning id`);
  return id;
}
