// Component tests of the list page and its parts: filters, sort, selection, columns, failures, menus.
import { readFile } from "node:fs/promises";
import { readXlsx } from "hucre/xlsx";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { DESKTOP, PHONE, showState, useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const namesOf = (page: Page) =>
  page.locator("tbody .ui-table-name").filter({ hasText: "样品" }).allTextContents();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const focused = (page: Page) =>
  page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent");

test("filters: typing requests nothing; Enter applies, the URL restores, Back and 重置 follow", async () => {
  const { context, page, complaints, requests } = await catalogue.open("list-page/rows");
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  const lists = () => requests.filter((request) => request.includes("/sample/list"));
  expect(lists()).toEqual(["GET /api/catalogue/sample/list?page=1&pageSize=10"]);
  const keyword = page.getByLabel("名称", { exact: true });
  await keyword.fill("样品 1");
  expect(lists()).toHaveLength(1);
  await keyword.press("Enter");
  await page.getByText("共 10 条", { exact: true }).waitFor();
  expect(searchOf(page)).toEqual({ keyword: "样品 1" });
  await page.reload();
  await page.getByText("共 10 条", { exact: true }).waitFor();
  expect(await keyword.inputValue()).toBe("样品 1");
  await button(page, "重置").click();
  await page.getByText("共 23 条", { exact: true }).waitFor();
  expect(searchOf(page)).toEqual({});
  await page.goBack();
  await page.getByText("共 10 条", { exact: true }).waitFor();
  expect(await keyword.inputValue()).toBe("样品 1");
  expect(complaints).toEqual([]);
  await context.close();
});

test("sums: where the list counts no further, its total is the number of rows that are summed", async () => {
  const { context, page, complaints } = await catalogue.open("list-page/sums-count-further");
  await page.getByText("合计 11,541 条", { exact: true }).waitFor();
  await page.getByText("共 11541 条", { exact: true }).waitFor();
  await showState(page, "list-page/sums-count-no-further");
  await page.getByText("最近 100,000 条", { exact: true }).waitFor();
  await page.getByText("共 100000+ 条", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("filters: a choice by keyboard; a new filter goes back to page 1", async () => {
  const { context, page } = await catalogue.open("list-page/rows?page=2");
  await expect.poll(() => namesOf(page)).toContain("样品 11");
  const state = page.getByRole("combobox", { name: "状态" });
  await state.focus();
  await state.press("ArrowDown");
  await state.press("ArrowDown");
  await state.press("Enter");
  expect(searchOf(page)).toEqual({ page: "2" });
  await button(page, "查询").press("Enter");
  await expect.poll(() => searchOf(page)).toEqual({ state: "WAITING" });
  await expect
    .poll(() => namesOf(page))
    .toEqual([2, 5, 8, 11, 14, 17, 20, 23].map((no) => `样品 ${String(no).padStart(2, "0")}`));
  await context.close();
});

test("filters: an input that cannot be applied is named, gets the focus and requests nothing", async () => {
  const { context, page } = await catalogue.open("filters/empty");
  const phone = page.getByLabel("手机号");
  await phone.fill("12");
  await button(page, "查询").click();
  await page.getByRole("alert").getByText("手机号请填完整号码或后四位").waitFor();
  expect(await phone.evaluate((input) => input.matches(":focus"))).toBe(true);
  expect(searchOf(page)).toEqual({});
  await phone.fill("138-0013-8000");
  await phone.press("Enter");
  await expect.poll(() => searchOf(page)).toEqual({ phone: "13800138000" });
  expect(await page.getByRole("alert").count()).toBe(0);
  await context.close();
});

test("filters: digits drop letters; a rare filter is behind 更多筛选 until it is applied", async () => {
  const { context, page } = await catalogue.open("filters/empty");
  await page.getByLabel("编号").pressSequentially("1a2.b");
  expect(await page.getByLabel("编号").inputValue()).toBe("12");
  const rare = page.getByRole("textbox", { name: "更新时间" });
  expect(await rare.isVisible()).toBe(false);
  const more = page.getByRole("button", { name: /筛选/ });
  expect(await more.getAttribute("aria-expanded")).toBe("false");
  await more.press("Enter");
  await rare.waitFor();
  expect(await more.getAttribute("aria-expanded")).toBe("true");
  await context.close();
  const applied = await catalogue.open("filters/applied");
  await applied.page.getByRole("textbox", { name: "更新时间" }).waitFor();
  await applied.context.close();
});

test("filters in a small window: folded, chips name what is applied and take it back, 查询 folds", async () => {
  const { context, page, complaints } = await catalogue.open("filters/applied", PHONE);
  const chips = page.locator(".ui-filter-chip:visible");
  await expect
    .poll(() => chips.allTextContents())
    .toEqual(["状态：故障", "更新时间：2026-11-21 00:00 – 不限"]);
  await page.setViewportSize({ width: 1366, height: 625 });
  await expect.poll(() => chips.allTextContents()).toEqual(["更新时间：2026-11-21 00:00 – 不限"]);
  await page.getByLabel("状态").waitFor();
  const code = page.getByLabel("编号");
  expect(await code.isVisible()).toBe(false);
  await chips.click();
  await expect.poll(() => searchOf(page)).toEqual({ keyword: "样品", state: "BROKEN" });
  expect(await chips.count()).toBe(0);
  await button(page, "更多筛选").click();
  await code.fill("12");
  await button(page, "查询").click();
  await expect.poll(() => chips.allTextContents()).toEqual(["编号：12"]);
  expect(await code.isVisible()).toBe(false);
  await page.setViewportSize(DESKTOP);
  await code.waitFor();
  expect(await chips.count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("time range: far from Shanghai today and the presets are Shanghai's", async () => {
  const { context, page } = await catalogue.open("filters/open", DESKTOP, "America/Los_Angeles");
  // 23 November in Shanghai, 22 November there.
  await page.clock.setFixedTime("2026-11-22T17:00:00Z");
  // The page was open before: presets are of the day on which one is chosen.
  await page.getByLabel("更新时间").first().click();
  const picker = page.locator(".ui-time-range:visible");
  expect(await picker.locator(".ant-picker-cell-today").first().getAttribute("title")).toBe(
    "2026-11-23",
  );
  await picker.getByText("上周", { exact: true }).click();
  await picker.waitFor({ state: "hidden" });
  await button(page, "查询").click();
  await expect
    .poll(() => searchOf(page))
    .toMatchObject({ from: "2026-11-15T16:00:00.000Z", to: "2026-11-22T15:59:59.000Z" });
  await context.close();
});

test("sort: a header cycles through both orders and none by keyboard, and keeps the focus", async () => {
  const { context, page } = await catalogue.open("list-page/rows?keyword=样品&page=2");
  await expect.poll(() => namesOf(page)).toContain("样品 11");
  const header = page.getByRole("columnheader", { name: "价格" });
  const sort = header.getByRole("button");
  for (const [order, search] of [
    ["ascending", { keyword: "样品", sort: "price", order: "asc" }],
    ["descending", { keyword: "样品", sort: "price", order: "desc" }],
    ["none", { keyword: "样品" }],
  ] as const) {
    await sort.press("Enter");
    await expect.poll(() => searchOf(page)).toEqual(search);
    await expect.poll(() => header.getAttribute("aria-sort")).toBe(order);
  }
  expect(await focused(page)).toBe("价格");
  await context.close();
});

test("selection: spans pages, ends with a filter, and the action gets every row", async () => {
  const { context, page, complaints } = await catalogue.open("list-page/rows");
  const all = page.getByRole("checkbox", { name: "选择本页全部" });
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  await page.getByRole("checkbox", { name: "选择", exact: true }).nth(1).press("Space");
  await page.getByText("已选 1 项").waitFor();
  expect(await all.evaluate((box) => box.matches(":indeterminate"))).toBe(true);
  await button(page, "下一页").click();
  await expect.poll(() => namesOf(page)).toContain("样品 11");
  expect(await all.evaluate((box) => box.matches(":indeterminate"))).toBe(false);
  await all.check();
  await page.getByText("已选 11 项").waitFor();
  await button(page, "上一页").click();
  await expect.poll(() => namesOf(page)).toContain("样品 02");
  expect(await page.getByRole("checkbox", { name: "选择", exact: true }).nth(1).isChecked()).toBe(
    true,
  );
  await button(page, "批量处理").click();
  await page.getByText(/^样品 02、样品 11、.*样品 20$/).waitFor();
  await button(page, "新增样品").waitFor();

  await all.check();
  await page.getByText("已选 10 项").waitFor();
  await page.getByLabel("名称", { exact: true }).fill("2");
  await button(page, "查询").click();
  await button(page, "新增样品").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("saved filters: kept under a name, applied to another state of the list, removed", async () => {
  const { context, page, complaints } = await catalogue.open(
    "list-page/rows?state=BROKEN&sort=name",
  );
  await expect.poll(() => namesOf(page)).not.toHaveLength(0);
  await button(page, "常用筛选").click();
  const name = page.locator(".ui-saved").getByLabel("名称");
  await name.fill("有故障的");
  await name.press("Enter");
  await button(page, "有故障的").waitFor();
  await page.keyboard.press("Escape");
  await page.goto(`${page.url().split("?")[0]}?keyword=样品&page=2`);
  await expect.poll(() => namesOf(page)).not.toHaveLength(0);
  await button(page, "常用筛选").click();
  await button(page, "有故障的").click();
  await expect.poll(() => searchOf(page)).toEqual({ state: "BROKEN", sort: "name" });
  // Default columns leave the saved filter as it is.
  await button(page, "列设置").click();
  await button(page, "恢复默认").click();
  await page.keyboard.press("Escape");
  await button(page, "常用筛选").click();
  await button(page, "删除常用筛选“有故障的”").click();
  await page.getByText("暂无常用筛选").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("列设置: hides, moves and restores columns by keyboard; a reload keeps them", async () => {
  const { context, page } = await catalogue.open("list-page/columns-open");
  const heads = () => page.getByRole("columnheader").allTextContents();
  await expect
    .poll(heads)
    .toEqual(["", "名称", "状态", "价格", "数量", "备注", "更新时间", "操作"]);
  await page.getByRole("checkbox", { name: "备注" }).press("Space");
  await button(page, "价格前移").press("Enter");
  await expect.poll(heads).toEqual(["", "名称", "价格", "状态", "数量", "更新时间", "操作"]);
  expect(await button(page, "价格前移").isDisabled()).toBe(true);
  await page.reload();
  await expect.poll(heads).toEqual(["", "名称", "价格", "状态", "数量", "更新时间", "操作"]);
  await button(page, "恢复默认").click();
  await expect.poll(heads).toHaveLength(8);
  await context.close();
});

test("widths: an edge is dragged or moved by key; a reload keeps it, Delete takes it back", async () => {
  const { context, page, complaints } = await catalogue.open("list-page/rows");
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  const edge = page.getByRole("columnheader", { name: "备注", exact: true }).getByRole("separator");
  const width = async () => Number(await edge.getAttribute("aria-valuenow"));
  const usual = await width();
  const box = await edge.boundingBox();
  if (!box) throw new Error("the edge is on screen");
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x - 60, middle.y, { steps: 3 });
  await page.mouse.up();
  const narrow = await width();
  expect(usual - narrow).toBeGreaterThan(50);
  await edge.press("ArrowRight");
  await expect.poll(width).toBe(narrow + 16);
  await page.reload();
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  await expect.poll(width).toBe(narrow + 16);
  await edge.press("Delete");
  await expect.poll(width).toBe(usual);
  expect(complaints).toEqual([]);
  await context.close();
});

test("widths: Tab stops at one edge, up and down reach the others", async () => {
  const { context, page } = await catalogue.open("list-page/rows");
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  const edges = page.locator(".ui-table-edge");
  const stops = page.locator('.ui-table-edge[tabindex="0"]');
  expect(await edges.count()).toBeGreaterThan(3);
  expect(await stops.count()).toBe(1);
  await stops.focus();
  await page.keyboard.press("ArrowDown");
  const second = edges.nth(1);
  await expect.poll(() => second.getAttribute("tabindex")).toBe("0");
  expect(await stops.count()).toBe(1);
  const width = async () => Number(await second.getAttribute("aria-valuenow"));
  const before = await width();
  await page.keyboard.press("ArrowRight");
  await expect.poll(width).toBe(before + 16);
  await context.close();
});

test("failures: 重试 loads the rows; a failed refresh keeps them and says since when", async () => {
  const failed = await catalogue.open("list-page/error-then-rows");
  await failed.page.getByRole("alert").getByText("系统异常：500").waitFor();
  expect(await failed.page.locator(".toast").count()).toBe(0);
  expect(await failed.page.locator(".ui-live").count()).toBe(0);
  await button(failed.page, "重试").press("Enter");
  await expect.poll(() => namesOf(failed.page)).toHaveLength(10);
  await failed.page.locator(".ui-live").waitFor();
  await failed.context.close();

  // §8 demands the toast for response code 1.
  const { page, context } = await catalogue.open("list-page/refused-then-rows");
  await page.getByRole("alert").getByText("数据库正在维护").waitFor();
  await page.locator(".toast").getByText("数据库正在维护").waitFor();
  await context.close();

  const stale = await catalogue.open("list-page/stale");
  await expect.poll(() => namesOf(stale.page)).toHaveLength(10);
  await button(stale.page, "刷新").click();
  await stale.page.locator(".toast").waitFor();
  await stale.page.getByText(/^未能更新，显示的是 \d\d:\d\d:\d\d 的数据$/).waitFor();
  expect(await namesOf(stale.page)).toHaveLength(10);
  expect(await stale.page.locator(".ui-live").count()).toBe(0);
  await stale.context.close();

  const forbidden = await catalogue.open("list-page/forbidden");
  await forbidden.page.getByText("没有权限访问该资源").first().waitFor();
  expect(await button(forbidden.page, "重试").count()).toBe(0);
  await forbidden.context.close();
});

/** Refuses the calls of the list from now on; as before without a refusal. */
const refuse = (page: Page, refusal: object | null) =>
  page.evaluate(`dispatchEvent(new CustomEvent("refuse", { detail: ${JSON.stringify(refusal)} }))`);

test("§8 failure catalogue: each failure shows its own toast, and the list stays on screen", async () => {
  const { context, page, complaints } = await catalogue.open("list-page/rows");
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  for (const [refusal, text] of [
    [{ status: 200, errMsg: "设备正在维护" }, "设备正在维护"],
    [{ status: 200, data: "请先选择设备" }, "请先选择设备"],
    [{ status: 403 }, "没有权限访问该资源"],
    [{ status: 403, data: "只有管理员可以查看" }, "只有管理员可以查看"],
    [{ status: 404 }, "请求不存在：404"],
    [{ status: 500 }, "系统异常：500"],
    [{ status: 500, errMsg: "数据库繁忙" }, "数据库繁忙"],
    [{ status: 502 }, "网络不佳，请稍后重试"],
    [{ status: 503 }, "服务维护中，请稍后重试"],
    [{ status: 504 }, "系统超时，请稍后重试"],
  ] as const) {
    await refuse(page, refusal);
    await button(page, "刷新").click();
    const toast = page.locator(".toast").filter({ hasText: text });
    await toast.waitFor();
    await page.getByText("未能更新，显示的是").waitFor();
    expect(await namesOf(page)).toHaveLength(10);
    await toast.getByRole("button", { name: "关闭提示" }).click();
    await toast.waitFor({ state: "hidden" });
  }
  await refuse(page, null);
  await button(page, "刷新").click();
  await page.getByText("未能更新，显示的是").waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await context.close();
});

test("§8 code 1: a cabinet without a configuration of its app shows no toast", async () => {
  const { context, page } = await catalogue.open("list-page/rows");
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  await refuse(page, { status: 200, errMsg: "柜机应用配置不存在，请尝试远程拉取" });
  await button(page, "刷新").click();
  await page.getByText("未能更新，显示的是").waitFor();
  await page.waitForTimeout(300);
  expect(await page.locator(".toast").count()).toBe(0);
  await context.close();
});

test("§9 timeout: a list without an answer for 10 s shows a toast", async () => {
  const { context, page } = await catalogue.open("list-page/next-held");
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  // A second of the console is over at once.
  await page.evaluate(`(() => {
    window.limits = [];
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, window.limits.push(ms) && ms / 50);
  })()`);
  await button(page, "刷新").click();
  await page.locator(".toast").filter({ hasText: "请求超时，请稍后重试" }).waitFor();
  expect(await page.evaluate("window.limits")).toContain(10_000);
  expect(await namesOf(page)).toHaveLength(10);
  await context.close();
});

test("empty lists: say whether a filter is applied, and lead back to the last page", async () => {
  const { context, page } = await catalogue.open("list-page/empty");
  await page.getByText("新增样品后在这里查看").waitFor();
  expect(await button(page, "导出").isDisabled()).toBe(true);
  await showState(page, "list-page/empty-filtered");
  await page.getByText("暂无符合条件的记录").waitFor();
  await showState(page, "list-page/past-the-end");
  await page.getByText("第 9 页没有数据").waitFor();
  expect(await button(page, "下一页").isEnabled()).toBe(true);
  await button(page, "回到最后一页").click();
  await expect.poll(() => namesOf(page)).toHaveLength(3);
  expect(searchOf(page)).toEqual({ page: "3" });
  await context.close();
});

test("detail: opens from the name with its own URL, closes by Escape and returns the focus", async () => {
  const { context, page, requests } = await catalogue.open("list-page/rows?page=2&keyword=样品");
  await expect.poll(() => namesOf(page)).toContain("样品 12");
  const lists = () => requests.filter((request) => request.includes("/sample/list")).length;
  expect(lists()).toBe(1);
  await button(page, "样品 12").press("Enter");
  const drawer = page.getByRole("dialog", { name: "样品 12" });
  await drawer.getByText("故障").waitFor();
  expect(searchOf(page)).toEqual({ page: "2", keyword: "样品", open: "12" });
  await page.keyboard.press("j");
  await page.getByRole("dialog", { name: "样品 13" }).waitFor();
  expect(searchOf(page)).toMatchObject({ open: "13" });
  await page.keyboard.press("k");
  await drawer.getByText("故障").waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await expect.poll(() => focused(page)).toBe("样品 12");
  await expect.poll(() => searchOf(page)).toEqual({ page: "2", keyword: "样品" });
  expect(await namesOf(page)).toContain("样品 12");
  expect(lists()).toBe(1);
  await context.close();
});

test("detail: Back closes it, Forward opens it; a reload and a link show it", async () => {
  const { context, page, complaints } = await catalogue.open("list-page/rows?page=2");
  const drawer = page.getByRole("dialog", { name: "样品 13" });
  await button(page, "样品 13").click();
  await drawer.waitFor();
  await page.goBack();
  await drawer.waitFor({ state: "hidden" });
  expect(searchOf(page)).toEqual({ page: "2" });
  await page.goForward();
  await drawer.waitFor();
  await page.reload();
  await drawer.waitFor();
  // Closing went back to the list's own entry, also after the reload.
  await drawer.getByRole("button", { name: "关闭" }).click();
  await drawer.waitFor({ state: "hidden" });
  await expect.poll(() => searchOf(page)).toEqual({ page: "2" });
  expect(complaints).toEqual([]);
  await context.close();

  // A link has no entry of the list behind it: closing stays on the page.
  const linked = await catalogue.open("record-drawer/row");
  const shown = linked.page.getByRole("dialog", { name: "样品 12" });
  await shown.getByRole("button", { name: "关闭" }).click();
  await shown.waitFor({ state: "hidden" });
  await expect.poll(() => searchOf(linked.page)).toEqual({ page: "2" });
  await linked.context.close();
});

test("detail: a linked record that is on no page is shown by its id, or said to be missing", async () => {
  const { context, page } = await catalogue.open("record-drawer/linked");
  await page.getByRole("dialog", { name: "样品 7" }).getByText("编号 7").waitFor();
  await showState(page, "record-drawer/missing");
  const drawer = page.getByRole("dialog", { name: "详情" });
  await drawer.getByText("没有找到记录").waitFor();
  await button(page, "关闭").click();
  await drawer.waitFor({ state: "hidden" });
  await expect.poll(() => searchOf(page)).toEqual({});
  await context.close();
});

test("row actions: a blocked one says why; the menu works by keyboard and returns the focus", async () => {
  const { context, page } = await catalogue.open("row-actions/blocked");
  await button(page, "修改").press("Enter");
  await page.getByRole("status").getByText("故障期间不能修改").waitFor();
  const more = button(page, "更多操作：样品 03");
  await more.press("Enter");
  const copy = page.getByRole("menuitem", { name: "复制" });
  await copy.waitFor();
  await page.keyboard.press("Escape");
  await copy.waitFor({ state: "hidden" });
  expect(await focused(page)).toBe("更多操作：样品 03");
  await more.press("Enter");
  await copy.waitFor();
  await page.getByRole("menuitem", { name: /^停用/ }).getByText("还有未完成的订单").waitFor();
  await copy.press("Enter");
  await page.getByText("复制 样品 03").waitFor();
  expect(await focused(page)).toBe("更多操作：样品 03");

  // Arrow keys go around; a blocked item has the focus but does nothing.
  await more.press("Enter");
  await expect.poll(() => focused(page)).toBe("复制");
  await page.keyboard.press("ArrowUp");
  expect(await focused(page)).toBe("删除");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  expect(await focused(page)).toBe("停用还有未完成的订单");
  await page.keyboard.press("Enter");
  expect(await copy.isVisible()).toBe(true);
  await page.keyboard.press("Tab");
  await copy.waitFor({ state: "hidden" });
  expect(await focused(page)).toBe("更多操作：样品 03");
  await more.click();
  await copy.waitFor();
  await page.mouse.click(2, 2);
  await copy.waitFor({ state: "hidden" });
  await context.close();
});

test("table: columns that do not fit scroll by keyboard; on a phone each row is a card", async () => {
  const { context, page } = await catalogue.open("data-table/plain");
  const box = page.getByRole("region", { name: "样品" });
  await box.focus();
  const left = () => box.evaluate((element) => element.scrollLeft);
  expect(await left()).toBe(0);
  await page.keyboard.press("ArrowRight");
  await expect.poll(left).toBeGreaterThan(0);
  await context.close();

  const phone = await catalogue.open("list-page/many-columns", PHONE);
  await expect.poll(() => namesOf(phone.page)).toHaveLength(10);
  const card = phone.page.getByRole("row").filter({ hasText: "样品 01" });
  await expect.poll(async () => (await card.boundingBox())?.width).toBeLessThanOrEqual(390);
  expect(await card.getByText("指标 1", { exact: true }).count()).toBe(0);
  expect(await card.getByText(/前$/).isVisible()).toBe(false);
  await context.close();
});

test("table: the row under the pointer is marked, but not while the table is scrolled", async () => {
  const { context, page } = await catalogue.open("data-table/plain");
  const isMarked = `(({ backgroundColor: hovered }, { backgroundColor: plain }) => hovered !== plain)(
    getComputedStyle(document.querySelector("tbody tr:hover td")),
    getComputedStyle(document.querySelector("tbody tr:not(:hover) td")))`;
  await page.getByRole("row").nth(1).hover();
  await expect.poll(() => page.evaluate(isMarked)).toBe(true);
  await page.evaluate(`document.querySelector(".ui-table-box").addEventListener("scroll",
    () => requestAnimationFrame(() => { window.markedAtScroll = ${isMarked}; }), { once: true })`);
  await page.mouse.wheel(60, 0);
  await expect.poll(() => page.evaluate("window.markedAtScroll")).toBe(false);
  await expect.poll(() => page.evaluate(isMarked)).toBe(true);
  await context.close();
});

test("pagination: drops letters, refuses an empty page number, and starts a new size at page 1", async () => {
  const { context, page } = await catalogue.open("pagination/counted");
  const control = page.getByRole("navigation", { name: "分页" });
  const current = () => control.locator("[aria-current=page]").textContent();
  const goTo = control.getByRole("textbox", { name: "页码" });
  expect(await button(page, "前往").isDisabled()).toBe(true);
  expect(await button(page, "上一页").isDisabled()).toBe(true);
  await goTo.pressSequentially("a1.2");
  await goTo.press("Enter");
  await expect.poll(current).toBe("12");
  expect(await goTo.inputValue()).toBe("");
  await button(page, "上一页").press("Enter");
  await expect.poll(current).toBe("11");
  await context.close();
});

test("pagination of a list: the page is in the URL; another size of the pages starts at page 1", async () => {
  const { context, page } = await catalogue.open("list-page/rows");
  const goTo = page.getByRole("textbox", { name: "页码" });
  await goTo.fill("2");
  await goTo.press("Enter");
  await expect.poll(() => namesOf(page)).toContain("样品 11");
  expect(searchOf(page)).toEqual({ page: "2" });
  await page.getByRole("combobox", { name: "每页条数" }).click();
  const sizes = page.getByRole("listbox").getByRole("option");
  await expect
    .poll(() => sizes.allTextContents())
    .toEqual([10, 20, 30, 40, 50].map((size) => `${size}条/页`));
  await sizes.filter({ hasText: "20条/页" }).click();
  await expect.poll(() => namesOf(page)).toHaveLength(20);
  expect(searchOf(page)).toEqual({ pageSize: "20" });
  await context.close();
});

test("pagination on a phone: a page is entered by its number", async () => {
  const { context, page } = await catalogue.open("pagination/counted", PHONE);
  const control = page.getByRole("navigation", { name: "分页" });
  await control.getByRole("textbox", { name: "页码" }).fill("3");
  await button(page, "前往").click();
  await expect.poll(() => control.locator("[aria-current=page]").textContent()).toBe("3");
  await context.close();
});

test("export: Escape or 取消 closes the question and returns the focus; a failed page is retried", async () => {
  const { context, page, requests } = await catalogue.open("list-page/export-asks");
  const question = page.getByRole("dialog").filter({ hasText: "是否确认导出" });
  await question.getByText("按当前筛选条件和列设置，导出 23 条记录。").waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  await expect.poll(() => focused(page)).toBe("导出");
  await button(page, "导出").press("Enter");
  await question.waitFor();
  const downloaded = page.waitForEvent("download");
  await question.getByRole("button", { name: "确定" }).click();
  expect((await downloaded).suggestedFilename()).toBe("样品列表.xlsx");
  await page.getByText("导出成功").waitFor();
  expect(requests.filter((request) => request.startsWith("DELETE"))).toHaveLength(1);
  await context.close();

  const waiting = await catalogue.open("list-page/export-waits");
  await waiting.page.getByText("前面还有 2 个导出，请稍候…").waitFor();
  await waiting.context.close();
  const failed = await catalogue.open("list-page/export-fails");
  const alert = failed.page.getByRole("alert");
  await alert.getByText("第 1 页下载失败，文件未生成").waitFor();
  const again = failed.page.waitForEvent("download");
  await alert.getByRole("button", { name: "重试" }).click();
  await again;
  await failed.context.close();
});

test("export: closing its dialog ends it and writes no file", async () => {
  const { context, page, requests } = await catalogue.open("list-page/export-held");
  let files = 0;
  page.on("download", () => {
    files += 1;
  });
  const progress = page.getByRole("dialog", { name: "导出Excel" }).filter({ hasText: "已下载" });
  await progress.getByRole("progressbar").waitFor();
  await progress.getByRole("button", { name: "关闭" }).click();
  await page.evaluate(`dispatchEvent(new Event("release"))`);
  await progress.waitFor({ state: "hidden" });
  await expect
    .poll(() => requests.filter((request) => request.startsWith("DELETE")))
    .toHaveLength(1);
  // A file would be there within a moment, its message 300 ms later.
  await page.waitForTimeout(1_000);
  expect(files).toBe(0);
  expect(await page.getByText("导出成功").count()).toBe(0);
  await context.close();
});

test("§8 export: a refused page can be skipped; the dialog then shows how many rows are missing", async () => {
  const { context, page, complaints } = await catalogue.open("list-page/export-refused");
  const failed = page.getByRole("alert").filter({ hasText: "第 1 页下载失败，文件未生成" });
  await failed.getByText("数据库正在维护").waitFor();
  const downloaded = page.waitForEvent("download");
  await failed.getByRole("button", { name: "跳过这一页" }).click();
  const [sheet] = (await readXlsx(await readFile(await (await downloaded).path()))).sheets;
  // 69 rows without a page of 49, below the header.
  expect(sheet?.rows).toHaveLength(21);
  await page.getByText("文件已生成，缺少 49 条").waitFor();
  expect(await page.getByText("导出成功").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("platform staff: the second filter is the tenant, also in the URL", async () => {
  const { context, page } = await catalogue.open("list-page/platform");
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  const labels = page.locator("form label").allTextContents();
  expect((await labels).slice(0, 2)).toEqual(["名称", "租户"]);
  await page.getByRole("combobox", { name: "租户" }).click();
  await page.getByRole("option", { name: "晨光物业" }).click();
  await button(page, "查询").click();
  await expect.poll(() => searchOf(page)).toEqual({ tenantId: "2" });
  await showState(page, "list-page/rows");
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  expect(await page.locator("form label").allTextContents()).not.toContain("租户");
  await context.close();
});
