// 交易记录 and 数据概览 of the company and of its sides: the filter, what a side leaves out, the names of files.
import { readFile } from "node:fs/promises";
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { readXlsx } from "hucre/xlsx";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { storeSession } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

const sideOf = (page: Page, name: string) =>
  page.getByRole("group", { name: "单双面" }).getByRole("button", { name, exact: true });
const kindsOf = (page: Page) =>
  page.getByRole("list", { name: "合计" }).getByRole("listitem").allTextContents();

test("交易记录: opens with the side of its menu; 全部 adds what belongs to no side, in the file too", async () => {
  const { context, page, complaints } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  await page.goto("/userApplet/pay/payRecord");
  await expect.poll(() => sideOf(page, "双面").getAttribute("aria-pressed")).toBe("true");
  await page.getByText("不分单双面，在“全部”中").waitFor();
  await expect
    .poll(async () => (await kindsOf(page)).map((text) => text.slice(0, 4)))
    .toEqual(["订单支付", "订单退款"]);
  await sideOf(page, "全部").click();
  await page.waitForURL(/side=ALL/);
  await expect.poll(async () => (await kindsOf(page)).length).toBeGreaterThan(3);
  expect((await kindsOf(page))[0]).toContain("充值");

  await page.getByRole("button", { name: "导出", exact: true }).click();
  const downloaded = page.waitForEvent("download");
  const question = page.getByRole("dialog").filter({ hasText: "是否确认导出" });
  await question.getByRole("button", { name: "确定", exact: true }).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe("交易记录-全部.xlsx");
  const file = await readFile(await download.path());
  const [sheet] = (await readXlsx(file, { readStyles: true })).sheets;
  const place = sheet?.rows[0]?.indexOf("单双面") ?? -1;
  expect(new Set(sheet?.rows.slice(1).map((row) => row[place]))).toEqual(
    new Set(["单面", "双面", "不分"]),
  );
  const styles = ["金额", "本金变动"].map((title) => {
    const column = sheet?.rows[0]?.indexOf(`${title}（元）`);
    return sheet?.cells?.get(`1,${column}`)?.style?.numFmt;
  });
  expect(styles).toEqual(["#,##0.00", "#,##0.00"]);
  await sideOf(page, "单面").click();
  await page.waitForURL(/side=SINGLE/);
  await sideOf(page, "双面").click();
  await page.waitForURL((url) => !url.searchParams.has("side"));
  expect(complaints).toEqual([]);
  await context.close();
});

test("对账: a run without findings is not good news while differences are open", async () => {
  const { context, page, complaints } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  await page.goto("/cupboardRun/pay/payRecord?view=reconciliation&state=OPEN");
  const total = page.getByText(/^共 [1-9]\d* 条$/);
  const open = (await total.textContent())?.replace(/\D/g, "");
  await page.goto("/cupboardRun/pay/payRecord?view=reconciliation");
  const last = page.locator(".reconciliation-last");
  await last.getByText("本次未发现差异").waitFor();
  expect(await last.locator("[data-tone=good]", { hasText: "未发现差异" }).count()).toBe(0);
  await last.getByRole("button", { name: `待处理差异 ${open} 项` }).click();
  await page.waitForURL(/state=OPEN/);
  expect(complaints).toEqual([]);
  await context.close();
});

test("数据概览: the company's orders are those of both sides; stores and file follow", async () => {
  const { context, page, complaints } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  const startedOf = async () => {
    const card = page.locator(".ui-figures li").filter({ hasText: "订单数" });
    await expect.poll(() => card.textContent()).toMatch(/\d/);
    return Number((await card.locator("b").first().textContent())?.replace(/\D/g, ""));
  };
  const to = addDays(shanghaiDay(Date.now()), -1);
  const from = addDays(to, -29);
  const counts = new Map<string, number>();
  for (const side of ["SINGLE", "DOUBLE", "ALL"]) {
    await page.goto(`/cupboardRun/index?side=${side}&from=${from}&to=${to}`);
    counts.set(side, await startedOf());
  }
  expect(counts.get("SINGLE")).toBeGreaterThan(0);
  expect(counts.get("ALL")).toBe((counts.get("SINGLE") ?? 0) + (counts.get("DOUBLE") ?? 0));
  await page.getByRole("button", { name: "导出", exact: true }).click();
  const downloaded = page.waitForEvent("download");
  const question = page.getByRole("dialog").filter({ hasText: "是否确认导出" });
  await question.getByRole("button", { name: "确定", exact: true }).click();
  expect((await downloaded).suggestedFilename()).toBe(`门店排行-全部-${from}至${to}.xlsx`);
  expect(complaints).toEqual([]);
  await context.close();
});
