// Component tests without a network, and with a server that says nothing: writes, the bar, the live badge and lists.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const writes = (requests: string[]) => requests.filter((request) => request.startsWith("POST"));
const lists = (requests: string[]) => requests.filter((request) => request.includes("/list?"));
const bar = (page: Page) => page.locator(".network-bar");
const badge = (page: Page) => page.locator(".ui-live");
const namesOf = (page: Page) =>
  page.locator("tbody .ui-table-name").filter({ hasText: "样品" }).allTextContents();
const dispatch = (page: Page, event: string) =>
  page.evaluate(`dispatchEvent(new Event("${event}"))`);

const LOST = /^网络已断开，显示 \d\d:\d\d 的数据，正在重连…$/;
const UNKNOWN = "没有收到响应，结果未知：请先刷新，核对是否已生效，再决定是否重做";

async function fillReason(page: Page): Promise<void> {
  await button(page, "删除").click();
  await button(page, "例行检修").click();
}

test("action without a network: fails at once, stays usable, and nothing is sent when it is back", async () => {
  const { context, page, requests, complaints } = await catalogue.open("action/sends");
  await fillReason(page);
  await context.setOffline(true);
  await button(page, "确认删除").click();
  const dialog = page.getByRole("dialog", { name: "删除样品" });
  await dialog.getByRole("alert").getByText("网络已断开，指令未发送", { exact: true }).waitFor();
  await button(page, "确认删除").click();
  await dialog.getByRole("alert").getByText("网络已断开，指令未发送", { exact: true }).waitFor();
  expect(await button(page, "取消").isEnabled()).toBe(true);
  await context.setOffline(false);
  await bar(page).waitFor({ state: "hidden" });
  expect(writes(requests)).toEqual([]);
  await button(page, "确认删除").click();
  await page.getByText("样品 01 已删除").waitFor();
  expect(writes(requests)).toEqual(["POST /api/catalogue/sample/act"]);
  await context.setOffline(true);
  await fillReason(page);
  await button(page, "确认删除").click();
  await dialog.getByRole("alert").waitFor();
  await button(page, "取消").click();
  await dialog.waitFor({ state: "hidden" });
  expect(complaints).toEqual([]);
  await context.close();
});

test("form and upload without a network: keep what was entered and send nothing later", async () => {
  const { context, page, requests } = await catalogue.open("form/filled");
  await context.setOffline(true);
  await button(page, "保存").click();
  await page.getByRole("alert").getByText("网络已断开，指令未发送", { exact: true }).waitFor();
  await context.setOffline(false);
  await bar(page).waitFor({ state: "hidden" });
  expect(await page.getByLabel("名称").inputValue()).toBe("样品 24");
  expect(writes(requests)).toEqual([]);
  await context.close();

  const upload = await catalogue.open("upload/empty");
  await upload.context.setOffline(true);
  const photo = { name: "photo.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(10) };
  await upload.page.getByLabel("选择文件").setInputFiles(photo);
  await upload.page.getByRole("alert").getByText("网络已断开，指令未发送").waitFor();
  await upload.context.setOffline(false);
  expect(writes(upload.requests)).toEqual([]);
  await upload.context.close();
});

test("action at a silent server: its result is unknown after ten seconds, and the bar says so", async () => {
  const { context, page, requests } = await catalogue.open("action/sends");
  await fillReason(page);
  await dispatch(page, "silence");
  await button(page, "确认删除").click();
  await page.getByRole("alert").getByText(UNKNOWN, { exact: true }).waitFor();
  await page.getByText(/^连接不上服务器，显示 \d\d:\d\d 的数据，正在重连…$/).waitFor();
  expect(writes(requests)).toHaveLength(1);
  await dispatch(page, "sound");
  await button(page, "确认删除").click();
  await page.getByText("样品 01 已删除").waitFor();
  await bar(page).waitFor({ state: "hidden" });
  expect(writes(requests)).toHaveLength(2);
  await context.close();
});

test("action pressed again after a lost answer: says that the first press counted, and the next one is new", async () => {
  const { context, page } = await catalogue.open("action/sends-again");
  const dialog = page.getByRole("dialog", { name: "删除样品" });
  const again = dialog.getByText("上一次已生效，这次没有重复执行", { exact: true });
  await fillReason(page);
  await button(page, "确认删除").click();
  await dialog.getByRole("alert").getByText(UNKNOWN, { exact: true }).waitFor();
  await button(page, "确认删除").click();
  await again.waitFor();
  expect(await page.getByText("样品 01 已删除").count()).toBe(0);
  await button(page, "关闭").last().click();
  await dialog.waitFor({ state: "hidden" });
  // The key is used up: this press is done by itself, however the server marks its answer.
  await fillReason(page);
  await button(page, "确认删除").click();
  await page.getByText("样品 01 已删除").waitFor();
  await context.close();
});

test("action beside a slow list: is done when it is answered", async () => {
  const { context, page } = await catalogue.open("action/sends-beside-slow-list");
  await page.getByText("共 23 个样品").waitFor();
  await fillReason(page);
  await button(page, "确认删除").click();
  await page.getByRole("dialog").waitFor({ state: "hidden", timeout: 5_000 });
  await context.close();
});

test("network lost and back: the bar, the badge, and rows that are fetched anew", async () => {
  const { context, page, requests, complaints } = await catalogue.open("list-page/rows");
  await badge(page).getByText("实时", { exact: true }).waitFor();
  await context.setOffline(true);
  await page.getByText(LOST).waitFor();
  await badge(page).getByText("连接中", { exact: true }).waitFor();
  const before = lists(requests).length;
  await context.setOffline(false);
  await bar(page).waitFor({ state: "hidden" });
  expect(lists(requests).length).toBeGreaterThan(before);
  await badge(page).getByText("实时", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("bar: names the time of the data on screen, and follows them from page to page", async () => {
  const { context, page } = await catalogue.open("network/two-pages");
  await page.getByText("样品 01").waitFor();
  const clockOf = (ms: number) =>
    new Date(ms).toLocaleTimeString("zh-CN", {
      ...{ timeZone: "Asia/Shanghai", hourCycle: "h23", hour: "2-digit", minute: "2-digit" },
    });
  const first = Date.now();
  const later = first + 3 * 3_600_000;
  await page.clock.setFixedTime(later);
  await button(page, "第二页").click();
  await page.getByText("样品 11").waitFor();
  await context.setOffline(true);
  await bar(page)
    .getByText(`显示 ${clockOf(later)} 的数据`)
    .waitFor();
  await button(page, "第一页").click();
  await page.getByText("样品 01").waitFor();
  await expect
    .poll(() => bar(page).textContent())
    .toMatch(/^网络已断开，显示 (\d\d-\d\d )?\d\d:\d\d 的数据，正在重连…$/);
  expect(await bar(page).textContent()).not.toContain(clockOf(later));
  await context.close();
});

test("bar over a page without data: names no time", async () => {
  const { context, page } = await catalogue.open("network/no-data");
  await context.setOffline(true);
  await bar(page).getByText("网络已断开，正在重连…", { exact: true }).waitFor();
  await context.close();
});

test("silent server behind a network: 实时 goes out and the bar comes, without a press", async () => {
  const { context, page } = await catalogue.open("list-page/rows");
  await badge(page).getByText("实时", { exact: true }).waitFor();
  await dispatch(page, "silence");
  await badge(page).getByText("连接中", { exact: true }).waitFor();
  await page.getByText(/^连接不上服务器，显示 \d\d:\d\d 的数据，正在重连…$/).waitFor();
  await dispatch(page, "sound");
  await bar(page).waitFor({ state: "hidden" });
  await badge(page).getByText("实时", { exact: true }).waitFor();
  await context.close();
});

test("list without a network: 查询, paging and 刷新 say that they failed, and show no rows of before", async () => {
  const { context, page } = await catalogue.open("list-page/rows");
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  await context.setOffline(true);
  await button(page, "刷新").click();
  await page.getByText(/^未能更新，显示的是 .+ 的数据$/).waitFor();
  expect(await namesOf(page)).toHaveLength(10);
  await button(page, "查询").click();
  await page.locator(".toast").getByText("网络已断开，请恢复后重试").waitFor();

  await button(page, "下一页").click();
  const failure = page.getByRole("alert").filter({ hasText: "加载失败，请重试" });
  await failure.getByText("网络已断开，请恢复后重试").waitFor();
  expect(await namesOf(page)).toEqual([]);
  await page.getByLabel("名称", { exact: true }).fill("样品 1");
  await button(page, "查询").click();
  await expect.poll(() => new URL(page.url()).searchParams.get("keyword")).toBe("样品 1");
  await failure.waitFor();
  await failure.getByRole("button", { name: "重试" }).click();
  await failure.waitFor();
  expect(await namesOf(page)).toEqual([]);

  await context.setOffline(false);
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  expect((await namesOf(page)).every((name) => name.includes("样品 1"))).toBe(true);
  await bar(page).waitFor({ state: "hidden" });
  await context.close();
});

test("list that waits: rows of other filters are marked, and gone when the answer is a failure", async () => {
  const { context, page } = await catalogue.open("list-page/next-held");
  const table = page.getByRole("table", { name: "样品列表" });
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  expect(await table.getAttribute("aria-busy")).toBe("false");
  await button(page, "下一页").click();
  await expect.poll(() => table.getAttribute("aria-busy")).toBe("true");
  expect(await button(page, "查询").getAttribute("aria-busy")).toBe("true");
  const opacity = () => page.evaluate(`getComputedStyle(document.querySelector("tbody")).opacity`);
  await expect.poll(opacity).toBe("0.45");
  await dispatch(page, "release");
  await expect.poll(() => namesOf(page)).toContain("样品 11");
  expect(await table.getAttribute("aria-busy")).toBe("false");
  await context.close();

  const failing = await catalogue.open("list-page/next-fails");
  await expect.poll(() => namesOf(failing.page)).toHaveLength(10);
  await failing.page.getByLabel("名称", { exact: true }).fill("样品 2");
  await button(failing.page, "查询").click();
  await failing.page.getByRole("alert").getByText("加载失败，请重试").waitFor();
  expect(await namesOf(failing.page)).toEqual([]);
  await failing.context.close();
});

test("查询 with the filters that are applied asks again", async () => {
  const { context, page, requests } = await catalogue.open("list-page/rows");
  await expect.poll(() => namesOf(page)).toHaveLength(10);
  const before = lists(requests).length;
  await button(page, "查询").click();
  await expect.poll(() => lists(requests).length).toBe(before + 1);
  await context.close();
});
