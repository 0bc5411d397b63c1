// The demo's money, added up from the legs alone: equal to screens, statements and exports, to the fen.

import { EXPORT_CHUNK_ROWS } from "@cabinet/contract/kit/export.rules.ts";
import { type Journal, ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { statementContract } from "@cabinet/contract/money/statement/statement.contract.ts";
import { daysOfMonth, totalFen } from "@cabinet/contract/money/statement/statement.rules.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { ensureDemo } from "../../apps/server/src/demo/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { addresses } from "../support/demo-installation.ts";
import { withClient } from "../support/postgres.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
const TENANTS = [2, 3];
const SIDES = ["SINGLE", "DOUBLE"] as const;
const operators = new Map<number, Person>();

beforeAll(async () => {
  await testServer.makeTenant(1);
  await ensureDemo({ ...testServer, ...addresses, log: createLog("silent") });
  await withClient(testServer.url, (client) => client.query("analyze"));
  for (const id of TENANTS) operators.set(id, (await testServer.makeTenant(id)).people[1]);
}, 300_000);

interface Leg {
  day: string;
  side: (typeof SIDES)[number] | null;
  account: string;
  fen: number;
}

const legsOf = (tenantId: number) =>
  testServer.database.read("platform", (db) =>
    db.many<Leg>(sql`
      select to_char(journal.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, journal.side,
        leg.account, leg.amount_fen as fen
      from ledger_leg leg
      join ledger_journal journal on journal.tenant_id = leg.tenant_id and journal.id = leg.journal_id
      where leg.tenant_id = ${tenantId}`),
  );

const sumOf = (legs: readonly Leg[], isIt: (leg: Leg) => boolean) =>
  legs.reduce((all, leg) => all + (isIt(leg) ? leg.fen : 0), 0);
const isWallet = ({ account }: Leg) => account.startsWith("WALLET_");

/** Days with money, from the first to the last. */
function span(legs: readonly Leg[]): { from: string; to: string; months: string[] } {
  const days = legs.map(({ day }) => day).sort();
  const [from = "", to = ""] = [days[0], days.at(-1)];
  return { from, to, months: [...new Set(days.map((day) => day.slice(0, 7)))] };
}

const inShanghai = (day: string, time: string) => new Date(`${day}T${time}+08:00`).toISOString();

describe.each(TENANTS)("tenant %s", (tenantId) => {
  const as = () => operators.get(tenantId) ?? null;

  it("at least 60 days of money, each journal balanced", async () => {
    const legs = await legsOf(tenantId);
    const { from, to } = span(legs);
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBeGreaterThan(60);
    expect(sumOf(legs, () => true)).toBe(0);
  });

  it("月结单: each month's opening, movements and closing, and each day's", async () => {
    const legs = await legsOf(tenantId);
    for (const month of span(legs).months) {
      const { from, to } = daysOfMonth(month);
      const { data } = await testServer.call(statementContract.month, as(), { query: { month } });
      const until = (day: string) => sumOf(legs, (leg) => isWallet(leg) && leg.day <= day);
      const before = sumOf(legs, (leg) => isWallet(leg) && leg.day < from);
      expect(data.opening && totalFen(data.opening)).toBe(before);
      expect(data.closing && totalFen(data.closing)).toBe(until(to));
      for (const { day, closingFen } of data.days) expect(closingFen, day).toBe(until(day));
      const moved = data.lines.reduce((all, line) => all + totalFen(line), 0);
      expect(moved).toBe(until(to) - before);
    }
  });

  it("交易记录: sums and exported rows of each month and side", async () => {
    const legs = await legsOf(tenantId);
    for (const month of span(legs).months) {
      const { from, to } = daysOfMonth(month);
      const period = { from: inShanghai(from, "00:00:00.000"), to: inShanghai(to, "23:59:59.999") };
      for (const side of [undefined, ...SIDES]) {
        const query = { ...period, ...(side && { side }) };
        const isIt = (leg: Leg) =>
          isWallet(leg) && leg.day >= from && leg.day <= to && (!side || leg.side === side);
        const { data } = await testServer.call(ledgerContract.sums, as(), { query });
        const shown = data.sums.reduce((all, each) => all + totalFen(each), 0);
        expect(shown, `${month} ${side}`).toBe(sumOf(legs, isIt));
        if (side === "DOUBLE") continue;
        const rows = await exported(query, as());
        expect(rows.reduce((all, row) => all + totalFen(row), 0)).toBe(sumOf(legs, isIt));
      }
    }
  });

  it("数据概览: income and refunds of the company and of each side, and of each day", async () => {
    const legs = await legsOf(tenantId);
    const { from, to } = span(legs);
    const query = { from, to };
    const net = (isIt: (leg: Leg) => boolean) =>
      sumOf(legs, (leg) => leg.account === "ORDER_INCOME" && isIt(leg));
    const netOf = ({ incomeFen, refundFen }: { incomeFen: number; refundFen: number }) =>
      incomeFen - refundFen;
    const company = await testServer.call(statisticsContract.income, as(), { query });
    expect(netOf(company.data.now)).toBe(net(() => true));
    const single = await testServer.call(statisticsContract.singleIncome, as(), { query });
    const double = await testServer.call(statisticsContract.doubleIncome, as(), { query });
    expect(netOf(single.data.now)).toBe(net(({ side }) => side === "SINGLE"));
    expect(netOf(double.data.now)).toBe(net(({ side }) => side === "DOUBLE"));
    const days = await testServer.call(statisticsContract.tendency, as(), { body: query });
    for (const figures of days.data) {
      expect(netOf(figures), figures.day).toBe(net(({ day }) => day === figures.day));
    }
  });

  it("钱包: balances of all people", async () => {
    const legs = await legsOf(tenantId);
    const { data } = await testServer.call(walletContract.sums, as(), {});
    const { principalFen, bonusFen } = data;
    expect(principalFen).toBe(sumOf(legs, ({ account }) => account === "WALLET_PRINCIPAL"));
    expect(bonusFen).toBe(sumOf(legs, ({ account }) => account === "WALLET_BONUS"));
  });
});

/** All rows of an export of 交易记录. */
async function exported(query: object, as: Person | null): Promise<Journal[]> {
  const call = ledgerContract.list.path;
  const { data, errMsg } = await testServer.call(exportContract.start, as, {
    body: { call, query },
  });
  expect(errMsg).toBe("");
  const page = (nth: number) =>
    testServer.call(exportContract.page, as, {
      params: { id: data.id },
      query: { page: nth, pageSize: EXPORT_CHUNK_ROWS },
    });
  await expect.poll(async () => (await page(1)).data.state, { timeout: 60_000 }).toBe("READY");
  const rows: Journal[] = [];
  for (let nth = 1; ; nth++) {
    const { list } = (await page(nth)).data;
    rows.push(...(list as Journal[]));
    if (list.length === 0) break;
  }
  await testServer.call(exportContract.end, as, { params: { id: data.id } });
  return rows;
}
