// Our payments and refunds of a day, for the comparison with WeChat's bill.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { RunRow } from "./reconciliation.sql.ts";

export interface KnownTrade {
  topUpId: number;
  endUserId: number;
  outTradeNo: string;
  transactionNo: string | null;
  fen: number;
  isPaid: boolean;
  /** Paid on the day of the bill. */
  isOfDay: boolean;
}

/** Top-ups paid on the day, and those that the bill names. */
export function findKnownTrades(db: Db, run: RunRow, named: string[]): Promise<KnownTrade[]> {
  return db.many(sql`
    select id as top_up_id, end_user_id, out_trade_no, transaction_no, principal_fen as fen,
      state not in ('CREATED', 'CLOSED') as is_paid,
      coalesce(paid_at >= ${run.from}::timestamptz and paid_at < ${run.to}::timestamptz, false)
        as is_of_day
    from top_up
    where tenant_id = ${run.tenantId} and channel = 'WECHAT'
      and (out_trade_no = any(${named}) or (paid_at >= ${run.from}::timestamptz
        and paid_at < ${run.to}::timestamptz))`);
}

export interface KnownRefund {
  topUpId: number;
  endUserId: number;
  outRefundNo: string;
  fen: number;
  /** Recorded as FAILED here, with the money returned to the wallet. */
  isFailed: boolean;
  isOfDay: boolean;
}

export function findKnownRefunds(db: Db, run: RunRow, named: string[]): Promise<KnownRefund[]> {
  return db.many(sql`
    select refund.top_up_id, top_up.end_user_id, refund.out_refund_no, refund.principal_fen as fen,
      refund.state = 'FAILED' as is_failed,
      coalesce(refund.accepted_at >= ${run.from}::timestamptz
        and refund.accepted_at < ${run.to}::timestamptz
        and refund.state <> 'FAILED', false) as is_of_day
    from top_up_refund refund join top_up on top_up.tenant_id = refund.tenant_id
      and top_up.id = refund.top_up_id
    where refund.tenant_id = ${run.tenantId} and top_up.channel = 'WECHAT'
      and (refund.out_refund_no = any(${named}) or (refund.accepted_at >= ${run.from}::timestamptz
        and refund.accepted_at < ${run.to}::timestamptz))`);
}
