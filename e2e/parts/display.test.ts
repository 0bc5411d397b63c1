// Component tests of drawers, live badge, charts, settings and revealed values.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { PHONE, useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const release = (page: Page) => page.evaluate("dispatchEvent(new Event('release'))");

test("detail drawer: its content replaces the loading text; Escape returns the focus", async () => {
  const { context, page } = await catalogue.open("detail-drawer/held");
  const drawer = page.getByRole("dialog", { name: "样品详情" });
  await drawer.getByText("正在加载…").waitFor();
  await release(page);
  await drawer.getByRole("heading", { name: "处理记录" }).waitFor();
  await drawer.getByRole("button", { name: "修改" }).waitFor();
  await drawer.getByRole("button", { name: "关闭" }).focus();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await button(page, "打开").press("Enter");
  await drawer.waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("打开");
  await context.close();
});

test("boundary: a part that fails takes neither its drawer nor the page, and can be tried again", async () => {
  const { context, page } = await catalogue.open("boundary/drawer");
  const drawer = page.getByRole("dialog", { name: "详情" });
  await drawer.getByRole("alert").filter({ hasText: "这里出错了" }).waitFor();
  const field = page.getByLabel("说明");
  await field.fill("写了一半");
  await button(page, "修好").dispatchEvent("click");
  await button(page, "重试").click();
  await drawer.getByText("修好了").waitFor();
  expect(await field.inputValue()).toBe("写了一半");
  await context.close();
});

test("detail drawer still loading: takes the focus, closes on Escape, returns the focus", async () => {
  const { context, page } = await catalogue.open("detail-drawer/loading");
  const drawer = page.getByRole("dialog", { name: "样品详情" });
  await drawer.getByText("正在加载…").waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await button(page, "打开").press("Enter");
  await drawer.waitFor();
  await expect.poll(() => drawer.evaluate((it) => it.matches(":focus-within"))).toBe(true);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("打开");
  await context.close();
});

test("detail drawer: a failure offers 重试", async () => {
  const { context, page, requests } = await catalogue.open("detail-drawer/error");
  const drawer = page.getByRole("dialog", { name: "样品详情" });
  await drawer.getByRole("alert").getByText("系统异常：500").waitFor();
  const before = requests.length;
  await drawer.getByRole("button", { name: "重试" }).press("Enter");
  await expect.poll(() => requests.length).toBeGreaterThan(before);
  await context.close();
});

test("live badge: says whether the channel is connected", async () => {
  const connected = await catalogue.open("live/connected");
  await connected.page.getByText("实时", { exact: true }).waitFor();
  await connected.context.close();
  const connecting = await catalogue.open("live/connecting");
  await connecting.page.getByText("连接中", { exact: true }).waitFor();
  await connecting.context.close();
  const full = await catalogue.open("live/full");
  const badge = full.page.getByText("实时通道已用完", { exact: true });
  expect(await badge.getAttribute("title")).toBe("本租户已打开 3 个实时通道；可点刷新手动更新");
  await full.context.close();
});

test("row that scrolls sideways on a phone: fades at the edge behind which there is more", async () => {
  const { context, page } = await catalogue.open("sideways/row", PHONE);
  const row = page.locator(".ui-sideways");
  const hidden = () =>
    page.evaluate(`["left", "right"].map((side) =>
      getComputedStyle(document.querySelector(".ui-sideways")).getPropertyValue("--ui-hidden-" + side))`);
  await expect.poll(hidden).toEqual(["0px", "40px"]);
  await row.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await expect.poll(hidden).toEqual(["40px", "0px"]);
  await context.close();
});

test("trend: a screen reader gets the figures as a table, which follow the chosen view", async () => {
  const { context, page, complaints } = await catalogue.open("trend-panel/views");
  const table = (name: string) => page.getByRole("table", { name });
  await expect.poll(() => table("每天的订单").getByRole("row").count()).toBe(15);
  await button(page, "退款").press("Enter");
  await expect.poll(() => table("每天的退款").getByRole("row").count()).toBe(15);
  expect(await button(page, "退款").getAttribute("aria-pressed")).toBe("true");
  await page.locator(".ui-chart-box[data-busy=false] :is(svg, canvas)").first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("trend: only zeros are no data; unfinished days are named", async () => {
  const empty = await catalogue.open("trend-chart/empty");
  await empty.page.getByText("这段时间没有数据").waitFor();
  await empty.context.close();
  const { context, page } = await catalogue.open("trend-chart/unfinished");
  await page.getByRole("rowheader", { name: "11-21（今日未结束）" }).waitFor();
  await context.close();
});

test("trend of 90 days: dragging on the zoom bar shows a part, which new figures keep", async () => {
  const { context, page } = await catalogue.open("trend-chart/long");
  const box = page.locator(".ui-chart-box[data-busy=false]");
  await box.locator("canvas").first().waitFor();
  const { x, y, width, height } = (await box.boundingBox()) as Exclude<
    Awaited<ReturnType<typeof box.boundingBox>>,
    null
  >;
  /** Number of the day under the pointer at the chart's left edge. */
  const firstDay = async () => {
    await page.mouse.move(x + width / 2, y + height / 3);
    await page.mouse.move(x + 60, y + height / 3);
    const title = await page.locator(".ui-chart-tip b").textContent();
    return Number(/\d+/.exec(title ?? "")?.[0]);
  };
  expect(await firstDay()).toBeLessThan(10);
  await page.mouse.move(x + width / 2, y + height - 8);
  await page.mouse.down();
  await page.mouse.move(x + width - 30, y + height - 8, { steps: 5 });
  await page.mouse.up();
  await expect.poll(firstDay).toBeGreaterThan(40);
  await button(page, "新订单").press("Enter");
  await page.getByRole("cell", { name: "4", exact: true }).waitFor();
  await expect.poll(firstDay).toBeGreaterThan(40);
  await context.close();
});

test("setting page: shows what the check found; 复制 copies the value", async () => {
  const failed = await catalogue.open("setting-page/failed");
  await failed.page.getByText("签名不存在").waitFor();
  await failed.page.getByRole("button", { name: /^复制/ }).press("Enter");
  await failed.page.getByText("已复制").waitFor();
  await failed.context.close();
  const { context, page } = await catalogue.open("setting-page/unset");
  await button(page, "填写配置").waitFor();
  expect(await button(page, "验证配置").count()).toBe(0);
  await context.close();
});

test("masked phone: is shown as a link once it is revealed", async () => {
  const { context, page } = await catalogue.open("hidden-phone/masked");
  await button(page, "查看完整手机号").press("Enter");
  const link = page.getByRole("link", { name: "13800138000" });
  expect(await link.getAttribute("href")).toBe("tel:13800138000");
  await context.close();
});

test("copy without the clipboard's interface, as without HTTPS: tabs and lines stay", async () => {
  const { context, page } = await catalogue.open("copy/columns");
  await context.grantPermissions(["clipboard-read"]);
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))");
  await button(page, "复制").click();
  await page.getByText("已复制").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("样品 1\tA-1\n样品 2\tA-2");
  await context.close();
});
