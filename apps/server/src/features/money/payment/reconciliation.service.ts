// Reconciliation: compares orders, ledger, wallets and WeChat's bill of a day, and resolves the
// differences.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type {
  Difference,
  reconciliationContract,
} from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import {
  type BillState,
  mayCredit,
} from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import { operatorActor, systemActor } from "../../../platform/actor.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { findKnownRefunds, findKnownTrades } from "./bill.sql.ts";
import * as differences from "./difference.sql.ts";
import { openPayment, type PaymentParts } from "./merchant.cache.ts";
import type { MoneyKey } from "./payment.queue.ts";
import { troubleText } from "./payment-setting.service.ts";
import { reconcileSoon } from "./reconciliation.queue.ts";
import * as runs from "./reconciliation.sql.ts";
import {
  checkCards,
  checkOrders,
  checkWallets,
  countDay,
  dayChecks,
  orderDays,
  type Walked,
} from "./reconciliation-checks.sql.ts";
import { attachOf, credit, creditPaid } from "./top-up.service.ts";
import { lockTopUp } from "./top-up.sql.ts";
import { parseTradeBill, type TradeBill } from "./trade-bill.rules.ts";

type Found = Omit<differences.FoundDifference, "tenantId">;

/** Queues a run for yesterday, for all tenants (null) or for those whose bill was not available. */
export async function startNight(db: Db, tenantIds: number[] | null): Promise<void> {
  const { yesterday } = await runs.findDays(db);
  for (const tenantId of tenantIds ?? (await runs.findAllTenants(db))) {
    await runs.lockRuns(db, tenantId);
    await runs.insertRun(db, { tenantId, day: yesterday, actor: systemActor });
  }
  await reconcileSoon(db);
}

export async function askToReconcile(
  ctx: Ctx,
  { day, tenantId }: Input<typeof reconciliationContract.run>["body"],
): Promise<{ id: number }> {
  const tenant = await requireTenant(ctx, tenantId);
  const { today, first } = await runs.findDays(ctx.db);
  if (day > today || day < first) refuse("RECONCILIATION_DAY");
  await runs.lockRuns(ctx.db, tenant.id);
  const actor = operatorActor(ctx.session);
  const id = await runs.insertRun(ctx.db, { tenantId: tenant.id, day, actor });
  if (id === null) return refuse("RECONCILIATION_RUNNING", { day });
  await reconcileSoon(ctx.db);
  ctx.audit({ tenantId: tenant.id, target: `对账 ${day}` });
  return { id };
}

export async function listDifferences(
  ctx: Ctx,
  query: Input<typeof reconciliationContract.differences>["query"],
): Promise<Page<Difference>> {
  const page = await differences.findDifferences(ctx.db, ctx.session, query);
  const list = page.list.map((row) => ({ ...row, phone: row.phone && maskPhone(row.phone) }));
  return { ...page, list };
}

async function lockOpenDifferenceOrRefuse(
  ctx: Ctx,
  id: number,
): Promise<differences.DifferenceRow> {
  const row = await differences.lockDifference(ctx.db, ctx.session, id);
  if (!row) refuse("NOT_FOUND", { what: "对账差异" });
  if (row.state === "RESOLVED") {
    refuse("STATE_NOT_ALLOWED", { what: "差异", state: "已处理", action: "再次处理" });
  }
  return row;
}

export async function resolve(ctx: Ctx, id: number, reason: string): Promise<null> {
  const row = await lockOpenDifferenceOrRefuse(ctx, id);
  await differences.resolveDifference(ctx.db, row, ctx.session.signature, reason);
  const { tenantId, kind, subject } = row;
  ctx.audit({ tenantId, target: `对账差异 ${subject}`, reason, before: { kind } });
  return null;
}

/** Credits a payment that arrived after its top-up had been closed. */
export async function creditDifference(ctx: Ctx, id: number, reason: string): Promise<null> {
  const row = await lockOpenDifferenceOrRefuse(ctx, id);
  const { tenantId, subject, transactionNo, topUpId } = row;
  const topUp = topUpId && (await lockTopUp(ctx.db, { tenantId, id: topUpId }));
  const isPossible = mayCredit(row.kind) && topUp && topUp.state === "CLOSED";
  if (!isPossible || !transactionNo || row.actualFen !== topUp.principalFen) {
    return refuse("DIFFERENCE_NOT_CREDITABLE");
  }
  await credit(
    ctx.db,
    topUp,
    transactionNo,
    row.cameAt,
    operatorActor(ctx.session),
    `补记入账：${reason}`.slice(0, 200),
  );
  const resolution = `补记入账：${reason}`;
  await differences.resolveDifference(ctx.db, row, ctx.session.signature, resolution);
  const { principalFen, bonusFen } = topUp;
  ctx.audit({ tenantId, target: `充值 ${subject}`, reason, after: { principalFen, bonusFen } });
  return null;
}

/** Executes one run; an error is recorded on its row, and the next run compares again. */
export async function reconcile(parts: PaymentParts, key: MoneyKey): Promise<void> {
  const { database } = parts;
  const scope = { tenantId: key.tenantId };
  const run = await database.transaction(scope, (db) => runs.beginRun(db, key));
  if (!run) return;
  try {
    const bill = await fetchBill(parts, run);
    const testServer = await compareOwnRecords(database, run);
    const beside = bill.lines ? await compareBill(database, run, bill.lines) : nothingFound;
    await database.transaction(scope, (db) =>
      runs.endRun(db, key, {
        ...testServer,
        ...sum(testServer, beside),
        billState: bill.state,
        problem: bill.problem,
        billRows: bill.lines ? bill.lines.trades.length + bill.lines.refunds.length : 0,
      }),
    );
  } catch (error) {
    await database.transaction(scope, (db) =>
      runs.failRun(db, key, "对账中途出错，请重试；如仍出现，请联系技术人员"),
    );
    throw error;
  }
}

interface Tally {
  /** Open differences. */
  found: number;
  /** Resolved differences that still exist. */
  known: number;
}

const nothingFound: Tally = { found: 0, known: 0 };
const sum = (one: Tally, other: Tally): Tally => ({
  found: one.found + other.found,
  known: one.known + other.known,
});

interface FetchedBill {
  state: BillState;
  problem: string | null;
  lines: TradeBill | null;
}

async function fetchBill(
  parts: PaymentParts,
  { tenantId, day }: runs.RunRow,
): Promise<FetchedBill> {
  const opened = await openPayment(parts, tenantId);
  // A merchant account that was never checked with WeChat has no bill of ours.
  if (!opened || opened.setting.checkState === "NONE") {
    return { state: "NONE", problem: null, lines: null };
  }
  try {
    const text = await opened.service.tradeBill(day);
    if (text === null) return { state: "WAITING", problem: null, lines: null };
    return { state: "COMPARED", problem: null, lines: parseTradeBill(text) };
  } catch (error) {
    const isOurs = error instanceof Error && error.message.startsWith("微信支付账单");
    const problem = isOurs ? error.message : troubleText(error);
    return { state: "FAILED", problem, lines: null };
  }
}

async function compareOwnRecords(database: Database, run: runs.RunRow) {
  const scope = { tenantId: run.tenantId };
  const counts = await database.read(scope, (db) => countDay(db, run));
  let tally = nothingFound;
  const add = async (found: Found[]) => {
    tally = sum(tally, await report(database, run, found));
  };
  for (const check of dayChecks) {
    await add(await database.read(scope, (db) => check(db, run)));
  }
  const walk = async (check: (db: Db, run: runs.RunRow, after: number) => Promise<Walked>) => {
    let count = 0;
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after;
      const some = await database.read(scope, (db) => check(db, run, from));
      count += some.count;
      await add(some.found);
      after = some.last;
    }
    return count;
  };
  const wallets = await walk(checkWallets);
  const cards = await walk(checkCards);
  let orders = 0;
  for (const back of orderDays) {
    const some = await database.read(scope, (db) => checkOrders(db, run, back));
    orders += some.count;
    await add(some.found);
  }
  return { ...counts, ...tally, wallets, cards, orders };
}

const tallied = { OPEN: "found", KNOWN: "known" } as const;

async function report(database: Database, run: runs.RunRow, found: Found[]): Promise<Tally> {
  if (found.length === 0) return nothingFound;
  const { tenantId, day } = run;
  return database.transaction({ tenantId }, async (db) => {
    const tally = { ...nothingFound };
    for (const one of found) {
      const state = await differences.reportDifference(db, { ...one, tenantId, day });
      tally[tallied[state]] += 1;
    }
    return tally;
  });
}

/**
 * A merchant may take other payments too: only lines that name this tenant or a known top-up are
 * ours.
 */
async function compareBill(
  database: Database,
  run: runs.RunRow,
  { trades, refunds }: TradeBill,
): Promise<Tally> {
  const { tenantId } = run;
  const scope = { tenantId };
  const [knownTrades, knownRefunds] = await database.read(scope, (db) =>
    Promise.all([
      findKnownTrades(
        db,
        run,
        trades.map(({ outTradeNo }) => outTradeNo),
      ),
      findKnownRefunds(
        db,
        run,
        refunds.map(({ outRefundNo }) => outRefundNo),
      ),
    ]),
  );
  const found: Found[] = [];
  const isOurs = (attach: string) => attach === attachOf(tenantId);
  const tradeOf = new Map(knownTrades.map((trade) => [trade.outTradeNo, trade]));
  const refundOf = new Map(knownRefunds.map((refund) => [refund.outRefundNo, refund]));
  const billedTrades = new Set(trades.map(({ outTradeNo }) => outTradeNo));
  const billedRefunds = new Set(refunds.map(({ outRefundNo }) => outRefundNo));

  const paidInVain = { ...nothingFound };
  for (const { outTradeNo, transactionNo, fen, attach } of trades) {
    const known = tradeOf.get(outTradeNo);
    if (known?.isPaid && known.transactionNo === transactionNo) {
      if (known.fen === fen) continue;
      found.push({
        ...aboutTrade(known, outTradeNo),
        kind: "BILL_AMOUNT",
        actualFen: fen,
        detail: `微信支付单号 ${transactionNo}`,
      });
    } else if (known || isOurs(attach)) {
      // The bill is another way to learn that a top-up was paid.
      const paid = { tenantId, outTradeNo, transactionNo, fen, paidAt: run.from };
      const state = await database.transaction(scope, (db) => creditPaid(db, paid));
      if (state) paidInVain[tallied[state]] += 1;
    }
  }
  for (const known of knownTrades) {
    if (!known.isOfDay || billedTrades.has(known.outTradeNo)) continue;
    const detail = `微信支付单号 ${known.transactionNo ?? "—"}`;
    found.push({
      ...aboutTrade(known, known.outTradeNo),
      kind: "BILL_NOT_THERE",
      actualFen: null,
      detail,
    });
  }
  for (const { outRefundNo, refundNo, fen, attach, isPaidOut } of refunds) {
    const known = refundOf.get(outRefundNo);
    const detail = `微信退款单号 ${refundNo}`;
    if (known && known.fen !== fen) {
      found.push({
        ...aboutTrade(known, outRefundNo),
        kind: "REFUND_AMOUNT",
        actualFen: fen,
        detail,
      });
    } else if (known ? known.isFailed && isPaidOut : isOurs(attach)) {
      found.push({
        kind: "REFUND_NOT_HERE",
        subject: outRefundNo,
        expectedFen: null,
        actualFen: fen,
        detail,
      });
    }
  }
  for (const known of knownRefunds) {
    if (!known.isOfDay || billedRefunds.has(known.outRefundNo)) continue;
    const about = aboutTrade(known, known.outRefundNo);
    found.push({
      ...about,
      kind: "REFUND_NOT_THERE",
      actualFen: null,
      detail: "当日账单没有这笔退款",
    });
  }
  return sum(paidInVain, await report(database, run, found));
}

const aboutTrade = (
  { topUpId, endUserId, fen }: { topUpId: number; endUserId: number; fen: number },
  subject: string,
) => ({ topUpId, endUserId, subject, expectedFen: fen });
