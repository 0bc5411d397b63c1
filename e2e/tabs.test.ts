// The tab bar (specification §2 visited-tabs bar): off unless the user switches it on under 账号与偏好.
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { chooseItem, go, signIn } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

const barOf = (page: Page) => page.getByRole("navigation", { name: "已访问页面" });
const titles = (page: Page) => barOf(page).getByRole("link").allTextContents();
const activeTitle = (page: Page) => barOf(page).locator("[aria-current=page]").textContent();
const tab = (page: Page, name: string) => barOf(page).getByRole("link", { name, exact: true });

async function atHome() {
  const visited = await demo.visit();
  await signIn(visited.page, demo.server.account(2, 1));
  return visited;
}

/** Switches under 账号与偏好; resolves when the server has stored the choice. */
async function switchTabBar(page: Page, isOn: boolean): Promise<void> {
  await go(page, "/settings/index");
  const button = page.getByRole("switch", { name: "页签栏", checked: !isOn });
  const stored = page.waitForResponse(
    (reply) =>
      reply.request().method() === "PUT" &&
      reply.url().endsWith(urlPath(accountContract.savePreference)),
  );
  const [reply] = await Promise.all([stored, button.click()]);
  expect(reply.ok()).toBe(true);
}

async function open(page: Page, group: string, name: string): Promise<void> {
  const menu = page.getByRole("navigation", { name: "主菜单" });
  const button = menu.getByRole("button", { name: group, exact: true });
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  await menu.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor({ state: "attached" });
}

async function chooseOf(page: Page, name: string, action: string): Promise<void> {
  await tab(page, name).click({ button: "right" });
  await chooseItem(page, action);
}

test("tab bar: off by default, stored with the account, kept over a reload, dropped at sign-out", async () => {
  const { context, page, complaints } = await atHome();
  expect(await barOf(page).count()).toBe(0);
  await switchTabBar(page, true);
  expect(await titles(page)).toEqual(["首页", "账号与偏好"]);
  await open(page, "设备管理", "设备列表");
  await open(page, "设备管理", "门店列表");
  expect(await titles(page)).toEqual(["首页", "账号与偏好", "设备列表", "门店列表"]);
  await page.reload();
  await tab(page, "门店列表").waitFor();
  expect(await titles(page)).toEqual(["首页", "账号与偏好", "设备列表", "门店列表"]);
  expect(await activeTitle(page)).toBe("门店列表");

  const other = await atHome();
  await tab(other.page, "首页").waitFor();
  expect(await titles(other.page)).toEqual(["首页"]);
  await other.context.close();

  await page.getByRole("button", { name: /^用户菜单/ }).click();
  await chooseItem(page, "退出登录");
  await page.waitForURL((url) => url.pathname === "/login");
  await signIn(page, demo.server.account(2, 1));
  await tab(page, "首页").waitFor();
  expect(await titles(page)).toEqual(["首页"]);
  await switchTabBar(page, false);
  expect(await barOf(page).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("tab bar: titles of views, filters kept when switching, closed one by one, others and all", async () => {
  const { context, page, complaints } = await atHome();
  await switchTabBar(page, true);
  await open(page, "设备管理", "设备列表");
  const keyword = page.getByRole("main").getByRole("textbox").first();
  await keyword.fill("柜");
  await keyword.press("Enter");
  await page.waitForURL(/keyword=/);
  const filtered = page.url();
  await open(page, "设备管理", "门店列表");
  await expect
    .poll(() => page.getByRole("main").getByRole("textbox").first().inputValue())
    .toBe("");
  await tab(page, "设备列表").click();
  await page.waitForURL(filtered);
  await expect
    .poll(() => page.getByRole("main").getByRole("textbox").first().inputValue())
    .toBe("柜");

  await page.getByRole("button", { name: "下发任务", exact: true }).click();
  await tab(page, "下发任务").waitFor();
  expect(await titles(page)).toEqual(["首页", "账号与偏好", "下发任务", "门店列表"]);
  await tab(page, "门店列表").click();
  await tab(page, "下发任务").click();
  await page.waitForURL(/view=rollouts/);

  // Closing the active tab opens the last remaining one; closing another keeps the page.
  await barOf(page).getByRole("button", { name: "关闭下发任务" }).click();
  await page.waitForURL((url) => url.pathname === "/point/index");
  await tab(page, "账号与偏好").click({ button: "middle" });
  await expect.poll(() => titles(page)).toEqual(["首页", "门店列表"]);
  expect(await barOf(page).getByRole("button", { name: "关闭首页" }).count()).toBe(0);
  await open(page, "设备管理", "设备型号");
  await chooseOf(page, "门店列表", "关闭其他");
  await page.waitForURL((url) => url.pathname === "/point/index");
  await expect.poll(() => titles(page)).toEqual(["首页", "门店列表"]);
  await chooseOf(page, "门店列表", "刷新");
  await page.waitForURL((url) => url.pathname === "/point/index");
  await page.getByRole("row").nth(1).waitFor();
  await chooseOf(page, "首页", "关闭全部");
  await page.waitForURL((url) => url.pathname === "/dashboard");
  expect(await titles(page)).toEqual(["首页"]);
  await switchTabBar(page, false);
  expect(complaints).toEqual([]);
  await context.close();
});

test("tab bar: a full strip shows the tab of the page just opened, and a wheel moves it", async () => {
  const { context, page } = await atHome();
  await switchTabBar(page, true);
  for (const name of ["设备列表", "设备型号", "门店列表"]) await open(page, "设备管理", name);
  for (const name of ["角色管理", "维护消息配置", "租户其他配置", "操作审计", "登录日志"]) {
    await open(page, "系统设置", name);
  }
  const right = async (locator: Locator) => {
    const { x, width } = (await locator.boundingBox()) ?? { x: Number.NaN, width: 0 };
    return x + width;
  };
  await page.setViewportSize({ width: 1_000, height: 700 });
  await open(page, "系统设置", "设备接口密钥");
  await expect
    .poll(async () => (await right(tab(page, "设备接口密钥"))) - (await right(barOf(page))))
    .toBeLessThanOrEqual(0);
  const offset = () => barOf(page).evaluate((it) => it.scrollLeft);
  expect(await offset()).toBeGreaterThan(0);
  await barOf(page).hover();
  await page.mouse.wheel(0, -2_000);
  await expect.poll(offset).toBe(0);
  await switchTabBar(page, false);
  await context.close();
});

test("tab bar: closing the tab of an unsaved form asks; staying keeps tab and text", async () => {
  const { context, page, complaints } = await atHome();
  await switchTabBar(page, true);
  await open(page, "系统设置", "角色管理");
  await page.getByRole("button", { name: "新增角色" }).click();
  await page.getByLabel("角色名称").fill("夜班");
  expect(await activeTitle(page)).toBe("编辑角色");
  const close = barOf(page).getByRole("button", { name: "关闭编辑角色" });
  const question = page.getByRole("dialog", { name: "放弃未保存的内容？" });
  await close.click();
  await question.getByRole("button", { name: "继续填写" }).click();
  await question.waitFor({ state: "hidden" });
  expect(await activeTitle(page)).toBe("编辑角色");
  await expect.poll(() => page.getByLabel("角色名称").inputValue()).toBe("夜班");
  await close.click();
  await question.getByRole("button", { name: "放弃", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/settings/index");
  expect(await titles(page)).toEqual(["首页", "账号与偏好"]);
  expect(complaints).toEqual([]);
  await context.close();
});
