// The console when its own calls and modules fail (specification §8).
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { clientErrorContract } from "@cabinet/contract/operations/client-error/client-error.contract.ts";
import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { signIn, storeSession } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

const isListCall = (url: URL) => url.pathname === urlPath(cabinetContract.list);
const toastsOf = (page: Page) => page.locator(".toasts .toast");

test("menu: a failed load is repeated within seconds", async () => {
  const { context, page, complaints } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  await page.evaluate(() => localStorage.removeItem("cupboard:user-state"));
  let calls = 0;
  await page.route(`**${urlPath(accessContract.menu)}`, async (route) => {
    calls++;
    if (calls > 1) return route.continue();
    await route.fulfill({ status: 500, json: { code: 1, data: null, errMsg: "" } });
  });
  await page.goto("/point/index");
  const menu = page.getByRole("navigation", { name: "主菜单" });
  await menu.getByRole("button", { name: "设备管理" }).waitFor();
  expect(calls).toBeGreaterThan(1);
  expect(complaints).toEqual([]);
  await context.close();
});

test("Record page: a failed fetch can be retried; a missing record links back to the list", async () => {
  const { context, page, complaints } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  const isRecordCall = (url: URL) => url.pathname.endsWith("/admin/v1/role/99999999");
  await page.route(isRecordCall, (route) =>
    route.fulfill({ status: 500, json: { code: 1, data: null, errMsg: "数据库繁忙" } }),
  );
  await page.goto("/set/role?view=edit&id=99999999");
  await page.getByText("加载失败，请重试").waitFor();
  await page.unroute(isRecordCall);
  await page.getByRole("button", { name: "重试" }).click();
  await page.getByText("角色不存在，或不在您的管理范围内").waitFor();
  await page.getByRole("link", { name: "返回角色管理" }).click();
  await page.waitForURL("**/set/role");
  expect(complaints).toEqual([]);
  await context.close();
});

test("§8 499: an expired tenant is told so and sent to /login", async () => {
  const { context, page, complaints } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  // Fail the first list call: a live update could sign out before any click.
  await page.route(isListCall, (route) =>
    route.fulfill({ status: 499, json: { code: 1, data: null, errMsg: "" } }),
  );
  const toastShown = toastsOf(page).filter({ hasText: "租户信息已过期，请联系客服" }).waitFor();
  await page.goto("/cupboard/index");
  // Awaited first: the toast disappears after some seconds, however slow the sign-in page is.
  await toastShown;
  await page.waitForURL((url) => url.pathname === "/login");
  expect(await page.evaluate(() => localStorage.getItem("cupboard:auth"))).toBeNull();
  expect(complaints).toEqual([]);
  await context.close();
});

test("§8 Chunk load failure: an alert is shown, and 重新加载 recovers", async () => {
  const { context, page } = await demo.visit();
  const part = "**/assets/compartment-board.page-*.js";
  await page.route(part, (route) => route.abort());
  await signIn(page, demo.server.account(2, 1), "/cupboard/blockManage?id=1");
  const failure = page.getByRole("alert").filter({ hasText: "页面加载失败" });
  await failure.waitFor();
  await page.unroute(part);
  await failure.getByRole("button", { name: "重新加载" }).click();
  await page.getByRole("main").getByText("格口").first().waitFor();
  expect(await failure.count()).toBe(0);
  await context.close();
});

test("an error of the program itself is reported once, without a phone or a query", async () => {
  const { context, page } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/user/normalUser?phone=13812345678");
  await page.getByRole("heading", { name: "用户列表" }).waitFor();
  const reports: Request[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(urlPath(clientErrorContract.report))) reports.push(request);
  });
  const fail = () => page.evaluate(`setTimeout(() => null.phoneOf("13812345678"))`);
  await fail();
  await expect.poll(async () => (await reports[0]?.response())?.status()).toBe(200);
  const { version, path, message } = JSON.parse(reports[0]?.postData() ?? "{}");
  expect({ path, message }).toEqual({
    path: "/user/normalUser",
    message: "TypeError: Cannot read properties of null (reading 'phoneOf')",
  });
  expect(version).toBe(await page.locator("html").getAttribute("data-version"));
  await fail();
  // Sent after it.
  await page.waitForRequest((request) => request.url().includes("/version.json"));
  expect(reports).toHaveLength(1);
  await context.close();
});
