// Without a network: nothing that was pressed is sent later; the phone of maintenance staff with its last list and a label.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { sharedBrowser, signIn, storeSession, visit } from "./support/browser.ts";
import { findStoredOrder } from "./support/stored-order.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();
const PHONE = { width: 390, height: 844 };

const cardsOf = (page: Page) =>
  page.getByRole("table", { name: "故障处理" }).locator("tbody .ui-table-name");

const ROWS_ARE_KEPT = `(localStorage.getItem("cupboard:offline") ?? "").includes("${malfunctionContract.list.path}")`;

/** Everything that a start of this page needs is kept. */
const IS_KEPT = `(async () => {
  const cache = await caches.open("console");
  const assets = performance.getEntriesByType("resource").map(({ name }) => name)
    .filter((name) => name.startsWith(location.origin + "/assets/"));
  const needed = [location.origin + "/", ...assets];
  const found = await Promise.all(needed.map((url) => cache.match(url)));
  return assets.some((name) => name.endsWith("?late")) && found.every(Boolean) && ${ROWS_ARE_KEPT};
})()`;

/** A file that the worker never sees: requested before it serves the page, and answered last. */
async function loadLateFile(page: Page): Promise<void> {
  const isDue = `navigator.serviceWorker.controller !== null && ${ROWS_ARE_KEPT}`;
  await page.route("**/assets/*?late", async (route) => {
    await expect.poll(() => page.evaluate(isDue)).toBe(true);
    // Later than what is kept together with the answers.
    await page.waitForTimeout(1_000);
    await route.continue();
  });
  await page.addInitScript(`addEventListener("DOMContentLoaded", () => {
    const script = document.querySelector("script[src]");
    if (script) void fetch(script.src + "?late");
  })`);
}

test("manifest: names the console, its start and icons that are there", async () => {
  const { context, page } = await demo.visit(PHONE);
  await page.goto("/login");
  const href = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = await (await page.request.get(href ?? "")).json();
  expect(manifest).toMatchObject({ name: "智能存取系统", start_url: "/", display: "standalone" });
  for (const { src, sizes } of manifest.icons) {
    const icon = await (await page.request.get(src)).body();
    expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`).toBe(sizes);
  }
  await context.close();
});

/** Passes requests on to the server, as another build of the console whose document is slow. */
async function nextBuild(delayMs: number) {
  const state = { version: null as string | null };
  const proxy = createServer(async (request, reply) => {
    const { pathname } = new URL(request.url ?? "/", demo.server.origin);
    const { version } = state;
    const isDocument = version !== null && !/^\/(api|assets)\/|\./.test(pathname);
    const body = request.method === "GET" ? null : Buffer.concat(await request.toArray());
    const { "accept-encoding": _, connection: __, ...headers } = request.headers;
    const answer = await fetch(`${demo.server.origin}${request.url}`, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      body,
    });
    const type = answer.headers.get("content-type") ?? "";
    reply.writeHead(answer.status, { "content-type": type });
    if (isDocument) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      const text = await answer.text();
      reply.end(text.replace(/data-version="\w+"/, `data-version="${version}"`));
    } else if (version !== null && pathname === "/version.json") {
      reply.end(JSON.stringify({ version }));
    } else if (answer.body) Readable.fromWeb(answer.body as WebStream).pipe(reply);
    else reply.end();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { origin: `http://127.0.0.1:${port}`, state, close };
}

test("after an update on a slow network: the old console says so, and 立即刷新 waits for the new one", async () => {
  const next = await nextBuild(6_000);
  const { context, page } = await visit(await sharedBrowser(), next, { viewport: PHONE });
  await signIn(page, demo.server.account(2, 2), "/malfunction/index");
  await cardsOf(page).first().waitFor();
  await page.waitForFunction("navigator.serviceWorker.controller !== null");
  await page.reload();
  const version = () => page.locator("html").getAttribute("data-version");
  const old = await version();
  next.state.version = "next";
  await page.reload();
  expect(await version()).toBe(old);
  const prompt = page.getByRole("dialog", { name: "发现新版本" });
  await prompt.getByRole("button", { name: "立即刷新" }).click();
  await expect.poll(version).toBe("next");
  // The tab of the old version, which is still open elsewhere, finds its files.
  expect(await page.evaluate("caches.has('console-former')")).toBe(true);
  await context.close();
  next.close();
});

test("without a network: the console starts, and the last list is there with its age", async () => {
  const { context, page } = await demo.visit(PHONE);
  await loadLateFile(page);
  const searches: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === urlPath(malfunctionContract.list)) searches.push(search);
  });
  await signIn(page, demo.server.account(2, 2), "/malfunction/index");
  await cardsOf(page).first().waitFor();
  const names = await cardsOf(page).allTextContents();
  await expect.poll(() => page.evaluate(IS_KEPT)).toBe(true);
  // Only the rows that the page shows were requested, and kept: 待办, not 全部.
  expect(searches.filter((search) => !search.includes("state=OPEN"))).toEqual([]);
  // Other documents of this origin, known to the worker or not, are neither kept nor cost what is kept.
  const other = await context.newPage();
  await context.route("**/of-another-application", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Another</title>" }),
  );
  for (const path of ["/readyz", "/metrics", "/demo/inbox", "/of-another-application"]) {
    await other.goto(path);
  }
  expect(await other.title()).toBe("Another");
  await other.close();
  expect(await page.evaluate(IS_KEPT)).toBe(true);
  await context.setOffline(true);
  await page.reload();
  await page.getByText(/^未能更新，显示的是 .+ 的数据$/).waitFor();
  await expect.poll(() => cardsOf(page).allTextContents()).toEqual(names);
  expect(await page.locator(".ui-live").count()).toBe(0);
  await context.setOffline(false);
  await page.getByRole("button", { name: "刷新", exact: true }).click();
  await page.locator(".ui-live").waitFor();
  // The next user of this phone finds nothing of it.
  await page.getByRole("button", { name: /^用户菜单/ }).click();
  await page.getByRole("menuitem", { name: "退出登录" }).click();
  await page.waitForURL("**/login");
  expect(await page.evaluate("localStorage.getItem('cupboard:offline')")).toBeNull();
  await context.close();
});

/** Presses without a network, waits until the page has its data again, and returns the writes that were answered. */
async function pressOffline(page: Page, press: string): Promise<string[]> {
  const answered: string[] = [];
  page.on("response", (response) => {
    const request = response.request();
    if (request.method() !== "GET") answered.push(request.url());
  });
  const dialog = page.getByRole("dialog");
  const bar = page.locator(".network-bar");
  await page.context().setOffline(true);
  await bar.getByText(/^网络已断开，显示 \d\d:\d\d 的数据，正在重连…$/).waitFor();
  await dialog.getByRole("button", { name: press, exact: true }).click();
  await dialog.getByText("网络已断开，指令未发送", { exact: true }).waitFor();
  await page.context().setOffline(false);
  await bar.waitFor({ state: "hidden" });
  await dialog.getByRole("button", { name: "取消", exact: true }).click();
  return answered;
}

test("network lost after the page is there: 开门 and 充值 fail at once, and are not sent when it is back", async () => {
  const { context, page, complaints } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  const order = await findStoredOrder(page);
  await page.goto(`/cupboardRun/rider/order?orderNo=${order.id}`);
  await page.locator(".ui-live").getByText("实时", { exact: true }).waitFor();
  const row = page.getByRole("row").filter({ hasText: String(order.id) });
  await row.getByRole("button", { name: "开门", exact: true }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("用户来电，忘记取件码");
  expect(await pressOffline(page, "开门")).toEqual([]);
  const log = { query: { cabinetId: order.cabinetId, keyword: "", pageSize: 50 } };
  const commands = await callApiAs(page, commandContract.list, log);
  expect(commands.data.list.filter(({ reason }) => reason === "用户来电，忘记取件码")).toEqual([]);

  await page.goto("/cupboardRun/pay/topUp?hasBalance=true");
  const wallets = { query: { hasBalance: "true", pageSize: 50 } };
  const before = (await callApiAs(page, walletContract.list, wallets)).data;
  const first = page.getByRole("row").nth(1);
  await first.getByRole("button", { name: "充值", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("实收金额").fill("1");
  await dialog.getByLabel("原因").fill("前台收现金");
  expect(await pressOffline(page, "确认充值")).toEqual([]);
  expect((await callApiAs(page, walletContract.list, wallets)).data).toEqual(before);
  expect(complaints).toEqual([]);
  await context.close();
});

test("scanned label: the address with the cabinet's number opens its board", async () => {
  const { context, page, complaints } = await demo.visit(PHONE);
  await storeSession(page, demo.server.account(2, 2));
  const { data } = await callApiAs(page, cabinetContract.list, { query: { pageSize: 10 } });
  const [cabinet] = data.list;
  await page.goto(`/cupboard/blockManage?sn=${cabinet?.sn.toLowerCase()}`);
  await page.waitForURL(`**/cupboard/blockManage?id=${cabinet?.id}`);
  await page.getByRole("gridcell").first().waitFor();
  await page.goto("/cupboard/blockManage?sn=NOWHERE1");
  await page.getByText("没有编号为 NOWHERE1 的设备").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
