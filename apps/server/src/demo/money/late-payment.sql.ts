// Payments of the demo that no open top-up expects: differences for 对账, one of them resolved.
import { creditPaid } from "../../features/money/payment/index.ts";
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";
import { DAY, MINUTE, SECOND } from "../fleet/cabinet.ts";
import { topUpRow } from "../orders/order-rows.ts";
import type { DemoActor } from "../organization/account.ts";
import { insertRows } from "../rows.sql.ts";
import type { DemoMoney, DemoTopUp } from "./money.ts";

interface LatePayment {
  topUp: DemoTopUp;
  /** State of the top-up when the payment arrives; null: the installation has no such top-up. */
  state: "CLOSED" | "CREATED" | null;
  fen: number;
  paidAt: number;
  resolution?: string;
}

/** WeChat reports them like any payment: the product itself records the differences. */
export async function insertLatePayments(
  db: Db,
  money: DemoMoney,
  keeper: DemoActor,
  now: number,
): Promise<void> {
  for (const payment of latePayments(money, now)) {
    const { topUp, state, fen, paidAt, resolution } = payment;
    const { outTradeNo } = topUp;
    const { tenantId } = topUp.person;
    if (state) {
      const open = { state, transaction_no: null, paid_at: null };
      await insertRows(db, "top_up", [{ ...topUpRow(topUp, keeper), ...open }]);
    }
    const transactionNo = `4200${outTradeNo.slice(2)}`;
    const at = new Date(paidAt).toISOString();
    await creditPaid(db, { tenantId, outTradeNo, transactionNo, fen, paidAt: at });
    const [foundAt, resolvedAt] = [4 * SECOND, 97 * MINUTE].map((later) =>
      new Date(paidAt + later).toISOString(),
    );
    await db.run(sql`
      update reconciliation_difference set found_at = ${foundAt}, seen_at = ${foundAt}
      where tenant_id = ${tenantId} and subject = ${outTradeNo}`);
    if (!resolution) continue;
    await db.run(sql`
      update reconciliation_difference set state = 'RESOLVED', resolved_at = ${resolvedAt},
        resolved_by = ${keeper.signature}, resolution = ${resolution}
      where tenant_id = ${tenantId} and subject = ${outTradeNo}`);
  }
}

/** By people who had topped up online within the hour before. */
function latePayments({ topUps }: DemoMoney, now: number): LatePayment[] {
  const of = (daysAgo: number, secondsToPay: number) => {
    const last = topUps.findLast(
      ({ channel, paidAt }) => channel === "WECHAT" && paidAt < now - daysAgo * DAY,
    );
    if (!last) throw new Error(`no top-up before ${daysAgo} days`);
    const createdAt = last.paidAt + (30 + daysAgo) * MINUTE;
    const topUp: DemoTopUp = {
      ...{ person: last.person, channel: "WECHAT", sold: null, transactionNo: null },
      ...{ createdAt, paidAt: createdAt, principalFen: 2_000, bonusFen: 0 },
      outTradeNo: `CZ${createdAt}${9_000 + daysAgo}`,
    };
    return { topUp, paidAt: createdAt + secondsToPay * SECOND };
  };
  const resolution = "已在商户平台原路退回";
  return [
    { ...of(9, 5_430), state: "CLOSED", fen: 2_000, resolution },
    { ...of(5, 19), state: "CREATED", fen: 1_800 },
    { ...of(3, 41), state: null, fen: 3_000 },
    { ...of(1, 2_912), state: "CLOSED", fen: 2_000 },
  ];
}
