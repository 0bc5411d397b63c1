// Figures on screen: overview, home, size use and 数据大屏, drawn under the strict content policy.
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { go, signIn, storeSession } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

async function operatorPage() {
  const visit = await demo.visit();
  await storeSession(visit.page, demo.server.account(2, 1));
  return visit;
}

const DRAWN = `[...document.querySelectorAll("canvas")].map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.some((byte) => byte !== 0);
})`;
const OVERHANG = `[
  document.documentElement.scrollWidth - document.documentElement.clientWidth,
  document.documentElement.scrollHeight - document.documentElement.clientHeight,
]`;

/** Waits until each of `count` canvases has pixels drawn. */
function expectDrawn(page: Page, count: number) {
  return expect.poll(() => page.evaluate(DRAWN)).toEqual(Array(count).fill(true));
}

test("数据概览: a Chinese calendar, the requested days, stores and cabinets in order", async () => {
  const { context, page, complaints } = await operatorPage();
  await page.goto("/cupboardRun/index");
  await expectDrawn(page, 1);
  await page.getByLabel("日期").click();
  const calendar = page.locator(".ant-picker-panels");
  await calendar.getByText("一", { exact: true }).first().waitFor();
  await calendar
    .getByText(/^\d+月$/)
    .first()
    .waitFor();
  const today = shanghaiDay(Date.now());
  const requested = page.waitForRequest((request) =>
    request.url().includes("single/income/tendency"),
  );
  await go(page, `/cupboardRun/index?from=${addDays(today, -6)}&to=${today}`);
  const request = await requested;
  expect(request.method()).toBe("POST");
  expect(request.headers()["content-type"]).toContain("application/x-www-form-urlencoded");
  const days = page.getByRole("table", { name: "每天的订单" });
  await expect.poll(() => days.getByRole("row").count()).toBe(8);
  const cards = page.getByRole("list", { name: "经营数据" });
  await expect.poll(() => cards.getByRole("listitem").count()).toBe(7);
  const contents = page.getByRole("group", { name: "趋势内容" });
  await contents.getByRole("button", { name: "收入" }).click();
  await page.getByRole("table", { name: "每天的收入" }).waitFor({ state: "attached" });
  await expectDrawn(page, 1);
  await page.getByRole("button", { name: "设备排行" }).click();
  const ranking = page.getByRole("table", { name: "设备排行" });
  await ranking.getByRole("button", { name: "周转率" }).click();
  await page.waitForURL(/sort=turnover/);
  await expect.poll(() => ranking.getByRole("row").count()).toBeGreaterThan(5);
  await page.getByRole("link", { name: "单双面合并排行" }).click();
  await page.waitForURL(/\/cupboard\/index\?view=ranking/);
  expect(complaints).toEqual([]);
  await context.close();
});

test("格口配比: rates each size; 平均占用率 shows the heat map", async () => {
  const { context, page, complaints } = await operatorPage();
  await page.goto("/userApplet/index");
  await page.getByRole("button", { name: "格口配比" }).click();
  await page.waitForURL(/view=sizes/);
  const table = page.getByRole("table", { name: "格口配比" });
  await table.getByText("有余量").first().waitFor();
  await page.getByRole("button", { name: "平均占用率" }).first().click();
  await page
    .getByTitle(/占用 \d/)
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("home: each pending item links to its filtered list", async () => {
  const { context, page, complaints } = await operatorPage();
  await page.goto("/dashboard");
  await expectDrawn(page, 1);
  const trend = page.getByRole("region", { name: "订单趋势" });
  await trend.getByText("今日未结束", { exact: true }).waitFor();
  const todo = page.getByRole("region", { name: "待办" });
  const line = todo.getByRole("listitem").filter({ hasText: "单面滞留订单" });
  const count = Number(await line.locator("b").textContent());
  expect(count).toBeGreaterThan(0);
  await line.getByRole("link").click();
  await page.waitForURL(/cupboardRun\/rider\/order\?state=OVERDUE/);
  await page.getByText(`共 ${count} 条`).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("net income today: 首页, 数据大屏 and 数据概览 show the same figure", async () => {
  const { context, page, complaints } = await operatorPage();
  const fenIn = async (path: string, list: string, title: string) => {
    await page.goto(path);
    const text = page.locator(list).filter({ hasText: title });
    await text
      .getByText(/¥[\d,]+\.\d\d/)
      .first()
      .waitFor();
    const [, yuan = ""] = /(-?¥-?[\d,]+\.\d\d)/.exec((await text.textContent()) ?? "") ?? [];
    return Math.round(Number(yuan.replaceAll(/[¥,]/g, "")) * 100);
  };
  const today = shanghaiDay(Date.now());
  const overview = (side: string) =>
    fenIn(`/${side}/index?from=${today}&to=${today}`, ".ui-figures li", "净收入");
  // Demo orders may end between two page loads: repeat until all pages agree.
  await expect
    .poll(async () => {
      const home = await fenIn("/dashboard", ".dashboard-cards li", "今日净收入");
      const screen = await fenIn("/largeScreen", ".screen-figure", "净收入");
      const sides = (await overview("cupboardRun")) + (await overview("userApplet"));
      return home === screen && screen === sides;
    })
    .toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test("big screen: fits 1920 × 1080 and, from side to side, 390 × 844", async () => {
  const { context, page, complaints } = await operatorPage();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto("/largeScreen");
  await expectDrawn(page, 2);
  await page.getByRole("region", { name: /^门店/ }).getByText("更新于").waitFor();
  await page.getByRole("region", { name: "近 24 小时占用率" }).getByText("采样于").waitFor();
  await expect.poll(() => page.evaluate(OVERHANG)).toEqual([0, 0]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate("innerWidth")).toBe(390);
  await expectDrawn(page, 2);
  await expect.poll(async () => (await page.evaluate<number[]>(OVERHANG))[0]).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("big screen: shows an alert while updates fail, and recovers", async () => {
  const { context, page } = await demo.visit();
  await page.clock.install();
  await signIn(page, demo.server.account(2, 1), "/largeScreen");
  await page.getByText("采样于").waitFor();
  const alert = page.getByRole("alert").filter({ hasText: "未能更新" });
  /** Advances the page's fake clock with each check, because the page polls by its own timer. */
  const alertsAsTimePasses = async () => {
    await page.clock.fastForward(5_000);
    return alert.count();
  };
  const url = `**/api${statisticsContract.screen.path}*`;
  await page.route(url, (route) => route.abort());
  await expect.poll(alertsAsTimePasses).toBe(1);
  await page.unroute(url);
  await expect.poll(alertsAsTimePasses).toBe(0);
  await context.close();
});

test("big screen: names used-up live channels as lists do", async () => {
  const { context, page } = await demo.visit();
  await page.route(`**${LIVE_PATH}`, (route) =>
    route.fulfill({
      status: 429,
      json: { code: 1, data: null, errCode: "TENANT_CHANNELS_USED_UP", errMsg: "实时通道已满" },
    }),
  );
  await signIn(page, demo.server.account(2, 1), "/largeScreen");
  await page.getByRole("status").getByText("实时通道已用完").waitFor();
  await context.close();
});

test("empty figures: each panel names what is missing", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0), "/largeScreen?tenantId=999999");
  await page.getByText("近 7 天暂无订单").waitFor();
  await page.getByText("暂无放置设备的门店").waitFor();
  await page.getByText("暂无未完结故障").waitFor();
  await page.getByText("暂无采样").waitFor();
  await go(page, "/cupboardRun/index?tenantId=999999");
  await page.getByText("暂无符合条件的记录").waitFor();
  await page.getByText("这段时间没有数据").waitFor();
  await go(page, "/cupboardRun/index?view=sizes&tenantId=999999");
  await page.getByText("这段时间没有采样").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
