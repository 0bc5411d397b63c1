// A list page on the real server: columns of real rows, per user; export, tenants and stores, links on a phone.

import { readFile } from "node:fs/promises";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { readXlsx } from "hucre/xlsx";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { go, signIn, untilLoaded } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const LIST = "/cupboard/index";
const PHONE = { width: 390, height: 844 };
/** Simulated cabinets connect and answer slowly on a busy machine. */
const CABINETS_MS = 40_000;

const demo = useSharedDemo();

/** Opens the list as an operator of tenant 2, sorted by name: no action changes that order. */
async function onList(search = "sort=name&order=asc", viewport?: typeof PHONE) {
  const visited = await demo.visit(viewport);
  await signIn(visited.page, demo.server.account(2, 1), `${LIST}?${search}`);
  await rowsOf(visited.page).first().waitFor({ timeout: CABINETS_MS });
  return visited;
}

/** Rows with a cabinet, without the header and the loading placeholders. */
const rowsOf = (page: Page) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name: "格口管理" }) });
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const isExportCall = (url: URL) => url.pathname.startsWith(`${urlPath(exportContract.start)}/`);

async function totalOf(page: Page): Promise<number> {
  const text = await page.getByText(/^共 \d+ 条$/).textContent();
  return Number(text?.replace(/\D/g, ""));
}

/** Cells with such a text that the list cuts. */
async function cutIn(page: Page, text: RegExp): Promise<(string | null)[]> {
  const whole = page.getByRole("cell").filter({ hasText: text });
  await whole.first().waitFor();
  return whole.evaluateAll((cells) =>
    cells.flatMap((cell) =>
      [cell, ...cell.querySelectorAll("*")]
        .filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth)
        .map((part) => part.textContent),
    ),
  );
}

test("times and order numbers: whole in lists at 1440 px", async () => {
  const { context, page } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/cupboardRun/rider/order");
  for (const path of ["/cupboardRun/rider/order", "/thirdPartApi/record", "/malfunction/index"]) {
    await go(page, path);
    await untilLoaded(page, path);
    const cut = await cutIn(page, /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d{15})$/);
    expect(cut, path).toEqual([]);
  }
  await context.close();
});

test("states and time limits: whole in the platform's lists at 1920 px", async () => {
  const { context, page } = await demo.visit({ width: 1920, height: 1080 });
  await signIn(page, demo.server.account(1, 0), `${LIST}?connectivity=NEVER`);
  expect(await cutIn(page, /^从未连接$/)).toEqual([]);
  await go(page, "/malfunction/index");
  expect(await cutIn(page, /超时/)).toEqual([]);
  await go(page, "/cupboardRun/pay/topUp?view=topUps");
  const no = /^4200\d{22}$/;
  const cut = await cutIn(page, no);
  // Only the middle of a payment's number goes.
  expect(cut.filter((text) => no.test(text ?? ""))).toEqual([]);
  await context.close();
});

test("列设置: stored per user", async () => {
  const { context, page, complaints } = await onList();
  const header = page.getByRole("columnheader", { name: "程序版本" });
  await header.waitFor();
  await page.getByRole("button", { name: "列设置" }).click();
  await page.getByRole("checkbox", { name: "程序版本" }).uncheck();
  await header.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /用户菜单/ }).click();
  await page.getByRole("menuitem", { name: "退出登录" }).click();
  await page.waitForURL((url) => url.pathname === "/login");
  await signIn(page, demo.server.account(2, 0), LIST);
  await header.waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

/** Starts an export; its pages are held until `answer` resolves. */
async function startExport(page: Page, answer: () => Promise<unknown>) {
  await page.route(
    (url) => isExportCall(url) && url.searchParams.get("pageSize") === "49",
    async (route) => {
      await answer();
      await route.continue();
    },
  );
  await page.getByRole("button", { name: "导出", exact: true }).click();
  const question = page.getByRole("dialog").filter({ hasText: "是否确认导出" });
  await question.getByRole("button", { name: "取消", exact: true }).click();
  await question.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "导出", exact: true }).click();
  await question.getByRole("button", { name: "确定", exact: true }).click();
  const progress = page.getByRole("dialog", { name: "导出Excel" }).filter({ hasText: "已下载" });
  await progress.getByRole("progressbar").waitFor();
  return progress;
}

test("§2 §4 §9 Export: asks first, shows progress, writes one workbook with every row", async () => {
  const { context, page, complaints } = await onList();
  const total = await totalOf(page);
  const { promise: looked, resolve: goOn } = Promise.withResolvers<void>();
  const progress = await startExport(page, () => looked);
  await expect.poll(async () => (await progress.boundingBox())?.width).toBe(600);
  const counts = progress.getByRole("definition");
  await expect.poll(() => counts.allTextContents()).toEqual([String(total), "0"]);
  const downloaded = page.waitForEvent("download");
  const exported = page.getByText("导出成功").waitFor();
  goOn();
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe("设备列表.xlsx");
  await exported;

  const file = await readFile(await download.path());
  const [sheet] = (await readXlsx(file, { readStyles: true })).sheets;
  expect(sheet?.name).toBe("Sheet1");
  expect(sheet?.rows).toHaveLength(total + 1);
  expect(sheet?.rows[0]?.slice(0, 2)).toEqual(["设备名称", "编号"]);
  expect(sheet?.cells?.get("0,0")?.style?.font?.bold).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test("choices: each shows the number of rows that it leads to", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0), LIST);
  const choices = page.getByRole("group", { name: "按在线状态查看" });
  for (const [choice, lifecycle] of [
    ["全部", undefined],
    ["已停用", "RETIRED"],
  ] as const) {
    const button = choices.getByRole("button", { name: new RegExp(`^${choice} \\d+$`) });
    await button.click();
    await expect.poll(() => searchOf(page).lifecycle).toBe(lifecycle);
    const more = async () =>
      (await totalOf(page)) - Number((await button.textContent())?.replace(/\D/g, ""));
    await expect.poll(more).toBe(0);
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test("phone: the list does not scroll sideways; a link on a card opens its own target, not the card's", async () => {
  const { context, page, complaints } = await onList("", PHONE);
  const widths =
    "[document.documentElement.scrollWidth, document.querySelector('main').scrollWidth]";
  expect(await page.evaluate(widths)).toEqual([PHONE.width, PHONE.width]);
  await go(page, "/smsManage/send");
  const link = page.getByRole("row").getByRole("link", { name: /^\d{12,}$/ });
  const orderNo = await link.first().textContent();
  await go(page, `/smsManage/send?orderId=${orderNo}`);
  await page.getByText("共 1 条", { exact: true }).waitFor();
  await link.first().click();
  await page.getByRole("dialog", { name: `订单 ${orderNo}` }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("platform staff: store options follow the chosen tenant before 查询; another tenant clears the store", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0), LIST);
  await page.getByRole("columnheader", { name: "租户" }).waitFor();
  const options = page.getByRole("listbox").getByRole("option").filter({ hasNotText: "正在加载" });
  const choose = async (label: string, nth: number) => {
    await page.getByLabel(label, { exact: true }).click();
    await options.nth(nth).click();
    await options.first().waitFor({ state: "hidden" });
  };
  const store = page.getByLabel("门店", { exact: true });
  const storesOf = async () => {
    await store.click();
    await options.first().waitFor();
    const names = await options.allTextContents();
    await page.keyboard.press("Escape");
    await options.first().waitFor({ state: "hidden" });
    return names;
  };
  for (const path of [
    LIST,
    "/cupboardRun/rider/order",
    "/cupboardRun/index",
    "/malfunction/index",
  ]) {
    await go(page, path);
    await untilLoaded(page, path);
    await choose("租户", 1);
    const first = await storesOf();
    await choose("门店", 0);
    await expect.poll(() => store.inputValue(), { message: path }).toBe(first[0]);
    await choose("租户", 2);
    await expect.poll(() => store.inputValue(), { message: path }).toBe("");
    await expect.poll(storesOf, { message: path }).not.toEqual(first);
    expect(searchOf(page).tenantId, path).toBeUndefined();
  }
  expect(complaints).toEqual([]);
  await context.close();
});
