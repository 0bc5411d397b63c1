// 月结单 of the demo: screen, call and workbook against the legs of the ledger, to the fen.
import { readFile } from "node:fs/promises";
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { LedgerAccount } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import {
  type Statement,
  statementContract,
} from "@cabinet/contract/money/statement/statement.contract.ts";
import {
  daysOfMonth,
  receiptsOf,
  sumOfLines,
  totalFen,
} from "@cabinet/contract/money/statement/statement.rules.ts";
import { readXlsx } from "hucre/xlsx";
import { beforeAll, expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { storeSession, type Visit } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();
const TENANT = 2;
let visit: Visit;
beforeAll(async () => {
  visit = await demo.visit();
  await storeSession(visit.page, demo.server.account(TENANT, 1));
  await visit.page.goto("/cupboardRun/pay/statement?side=ALL");
});

/** The three months before this one: in the current one the demo's people go on paying. */
const months: string[] = [];
for (let day = shanghaiDay(Date.now()); months.length < 3; ) {
  day = addDays(`${day.slice(0, 7)}-01`, -1);
  months.push(day.slice(0, 7));
}
const [lastMonth = ""] = months;

/** Sums of the legs that match, by account: nothing but accounts and amounts, no kinds of journals. */
async function legs(where: string): Promise<(account: LedgerAccount) => number> {
  const rows = await demo.read<{ account: LedgerAccount; fen: string }>(`
    select leg.account, sum(leg.amount_fen) as fen
    from ledger_leg leg
    join ledger_journal journal on journal.tenant_id = leg.tenant_id and journal.id = leg.journal_id
    where leg.tenant_id = ${TENANT} and ${where} group by leg.account`);
  return (account) => Number(rows.find((row) => row.account === account)?.fen ?? 0);
}
const before = (day: string) => `journal.at < '${day}T00:00:00+08:00'`;
const within = (month: string) => {
  const { from, to } = daysOfMonth(month);
  return `journal.at >= '${from}T00:00:00+08:00' and ${before(addDays(to, 1))}`;
};
const walletsOf = (of: (account: LedgerAccount) => number) => ({
  principalFen: of("WALLET_PRINCIPAL"),
  bonusFen: of("WALLET_BONUS"),
});

async function read(query: Record<string, string | number>): Promise<Statement> {
  const { data, errMsg } = await callApiAs(visit.page, statementContract.month, { query });
  expect(errMsg).toBe("");
  return data;
}

test.for(months)("%s: each figure of the company is that of the legs", async (month) => {
  const { from, to } = daysOfMonth(month);
  const statement = await read({ month });
  const moved = await legs(within(month));
  expect(statement.opening).toEqual(walletsOf(await legs(before(from))));
  expect(statement.closing).toEqual(walletsOf(await legs(before(addDays(to, 1)))));
  expect(sumOfLines(statement.lines)).toEqual(walletsOf(moved));
  expect(receiptsOf(statement.lines)).toMatchObject({
    cashFen: 0 - moved("CASH"),
    wechatFen: 0 - moved("WECHAT"),
    orderFen: moved("ORDER_INCOME"),
    packageFen: moved("PACKAGE_INCOME"),
  });
  expect(moved("ORDER_INCOME")).toBeGreaterThan(0);
  const sumOf = (...names: Parameters<typeof sumOfLines>[1][]) =>
    sumOfLines(statement.lines, ...names);
  expect(totalFen(sumOf("ADJUSTMENT"))).toBe(0 - moved("ADJUSTMENT"));
  const topUps = sumOf("CASH_TOP_UP", "WECHAT_TOP_UP", "CASH_REFUND", "WECHAT_REFUND");
  expect(topUps.bonusFen + sumOf("REFUND_RETURNED").bonusFen).toBe(0 - moved("GIFT"));
  for (const { day, closingFen } of statement.days) {
    expect([day, closingFen]).toEqual([
      day,
      totalFen(walletsOf(await legs(before(addDays(day, 1))))),
    ]);
  }
});

test("sides and stores: their orders add up to the company's", async () => {
  const month = lastMonth;
  const all = await read({ month });
  const orderFen = ({ lines }: Statement) => receiptsOf(lines).orderFen;
  let sum = 0;
  for (const side of ["SINGLE", "DOUBLE"] as const) {
    const of = await legs(`${within(month)} and journal.side = '${side}'`);
    const statement = await read({ month, side });
    expect([side, orderFen(statement)]).toEqual([side, of("ORDER_INCOME")]);
    expect(statement.opening).toBeNull();
    sum += orderFen(statement);
  }
  expect(sum).toBe(orderFen(all));
  const stores = await demo.read<{ id: string }>(
    `select id from store where tenant_id = ${TENANT}`,
  );
  const isOf = (store: string) => `exists (select from storage_order ord
    where ord.tenant_id = journal.tenant_id and ord.id = journal.order_id and ord.store_id ${store})`;
  let ofStores = (await legs(`${within(month)} and ${isOf("is null")}`))("ORDER_INCOME");
  for (const { id } of stores) {
    const fen = orderFen(await read({ month, storeId: Number(id) }));
    const of = await legs(`${within(month)} and ${isOf(`= ${id}`)}`);
    expect([id, fen]).toEqual([id, of("ORDER_INCOME")]);
    ofStores += fen;
  }
  expect(ofStores).toBe(orderFen(all));
});

test("screen, paper and workbook have the figures of the legs", async () => {
  const { page, complaints } = visit;
  const { from, to } = daysOfMonth(lastMonth);
  const opening = totalFen(walletsOf(await legs(before(from))));
  const closing = totalFen(walletsOf(await legs(before(addDays(to, 1)))));
  const moved = await legs(within(lastMonth));
  const fenOf = (text: string | null) => Number(text?.replace(/[^\d-]/g, ""));
  const balances = page.getByRole("table", { name: "用户余额" });
  const lastCell = async (name: string) =>
    fenOf(await balances.getByRole("row", { name }).getByRole("cell").last().textContent());
  expect([await lastCell("期初余额"), await lastCell("期末余额")]).toEqual([opening, closing]);

  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByRole("navigation").count()).toBe(0);
  const paper = page.locator("body > .ui-print");
  expect(await paper.isVisible()).toBe(true);
  expect(await paper.locator("h2").textContent()).toContain("月结单");
  await page.emulateMedia({ media: null });

  await page.getByRole("button", { name: "导出", exact: true }).click();
  const downloaded = page.waitForEvent("download");
  const question = page.getByRole("dialog").filter({ hasText: "是否确认导出" });
  await question.getByRole("button", { name: "确定", exact: true }).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toMatch(
    new RegExp(`^月结单-${lastMonth}-.+-整个公司\\.xlsx$`),
  );
  const [sheet] = (await readXlsx(await readFile(await download.path()))).sheets;
  const [head = [], ...rows] = sheet?.rows ?? [];
  const sums = rows.at(-1) ?? [];
  const fenIn = (row: readonly unknown[], title: string) =>
    Math.round(Number(row[head.indexOf(`${title}（元）`)]) * 100);
  expect(rows.slice(0, -1).map(([day]) => (day as Date).toISOString().slice(0, 10))).toEqual(
    Array.from({ length: Number(to.slice(-2)) }, (_, index) => addDays(from, index)),
  );
  expect(sums[0]).toBe("合计");
  expect([fenIn(sums, "期初余额"), fenIn(sums, "期末余额")]).toEqual([opening, closing]);
  expect(fenIn(sums, "变动合计")).toBe(closing - opening);
  expect(fenIn(sums, "订单支付") + fenIn(sums, "订单退款")).toBe(0 - moved("ORDER_INCOME"));
  expect(fenIn(sums, "购买套餐")).toBe(0 - moved("PACKAGE_INCOME"));
  const titles = head.filter((title) => /充值|退回|订单|套餐|调整/.test(String(title)));
  for (const title of titles.map((each) => String(each).replace("（元）", ""))) {
    const days = rows.slice(0, -1).map((row) => fenIn(row, title));
    expect([title, fenIn(sums, title)]).toEqual([title, days.reduce((all, fen) => all + fen, 0)]);
  }
  expect(complaints).toEqual([]);
});
