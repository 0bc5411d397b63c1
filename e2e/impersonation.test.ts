// Impersonation of a tenant by platform staff: banner, read-only pages, return.

import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { tenantContract } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { go, signIn, untilLoaded } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();
const REASON = "客户反映订单列表为空";

const banner = (page: Page) => page.getByRole("region", { name: "只读查看" });

/** Enters a tenant by navbar or open drawer from any page; returns the tenant's name. */
async function enter(page: Page, tenantName?: string): Promise<string> {
  await page.getByRole("button", { name: "进入租户" }).click();
  const dialog = page.getByRole("dialog", { name: "进入租户" });
  await dialog.getByRole("button", { name: "进入查看" }).click();
  await dialog.getByText("租户不能为空").waitFor();
  await dialog.getByText("原因不能为空").waitFor();
  await dialog.getByRole("combobox", { name: "租户" }).click();
  const options = page.locator(".ant-select-item-option");
  const option = tenantName ? options.filter({ hasText: tenantName }) : options.first();
  const name = (await option.textContent()) ?? "";
  await option.click();
  await dialog.getByLabel("原因").fill(REASON);
  await dialog.getByRole("button", { name: "进入查看" }).click();
  await banner(page).getByText(name).waitFor();
  await page.waitForURL((url) => url.pathname === "/dashboard");
  await page.getByRole("heading", { level: 1, name: "首页" }).waitFor({ state: "attached" });
  return name;
}

const flat = (entries: readonly RouteEntry[]): RouteEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children ?? [])]);
const pages = flat(routeTable).filter((entry) => !entry.redirect && !entry.forEveryone);
/** Views that share a path with another page. */
const views = [
  "/cupboard/index?view=rollouts",
  "/cupboardRun/index?view=pricing",
  "/cupboardRun/pay/payList?view=cards",
  "/cupboardRun/pay/topUp?view=topUps",
  "/cupboardRun/pay/payRecord?view=reconciliation",
  "/user/normalUser?view=tags",
  "/set/loginLog?view=sessions",
];
/** Labels of buttons that would change, export or reveal something; a row of a simulated price changes nothing. */
const CHANGES =
  /^(\+?\s*(新增|新建|添加(?!规格或时段价格)|编辑|修改|删除|保存|上传)\S*|导出|导入|充值|调整余额|退款|售卖|启用|停用|暂停|恢复|续期|锁定|解锁|上架|下架|重置密码|分配\S*|开门|远程开门|重启|清柜|盘点|轮换|吊销|立即对账|处理|显示号码|查看手机号|显示并修改|强制下线|复制|标记故障|测试发送)$/;

test("impersonation: enter by the navbar, no write button on any page, exit to the previous page", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0), "/cupboard/index?connectivity=ONLINE");
  await page.getByRole("columnheader", { name: "租户" }).waitFor();
  const name = await enter(page);

  const writes: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const isReading = request.method() === "GET" || /tendency|simulate|preview|sums/.test(pathname);
    if (!isReading) writes.push(`${request.method()} ${pathname}`);
  });
  for (const path of [...pages.map((entry) => entry.path), ...views]) {
    await go(page, path);
    expect(await banner(page).isVisible(), path).toBe(true);
    await untilLoaded(page, path);
    const buttons = page
      // Copy buttons are allowed: they copy only text that is on screen.
      .locator("main :is(button, a):not([aria-pressed], [role=tab], [aria-label^=复制], th *)")
      .filter({ visible: true });
    const texts = (await buttons.allInnerTexts()).map((text) => text.trim());
    expect
      .soft(
        texts.filter((text) => CHANGES.test(text)),
        path,
      )
      .toEqual([]);
    for (const more of await page.getByRole("button", { name: /^更多操作/ }).all()) {
      await more.click();
      const items = await page.getByRole("menuitem").filter({ visible: true }).allInnerTexts();
      expect
        .soft(
          items.filter((text) => CHANGES.test(text)),
          `${path}, 更多`,
        )
        .toEqual([]);
      await page.keyboard.press("Escape");
      break;
    }
  }
  expect(writes).toEqual([]);
  const nav = page.getByRole("navigation", { name: "主菜单" });
  for (const hidden of ["租户管理", "个人设置"])
    expect(await nav.getByText(hidden).count()).toBe(0);
  await page.goto("/settings/index");
  await page.waitForURL((url) => url.pathname === "/dashboard");

  await banner(page).getByRole("button", { name: "退出查看" }).click();
  await banner(page).waitFor({ state: "hidden" });
  await page.waitForURL(
    (url) => `${url.pathname}${url.search}` === "/cupboard/index?connectivity=ONLINE",
  );
  await page.getByRole("columnheader", { name: "租户" }).waitFor();
  await page.getByRole("button", { name: "进入租户" }).waitFor();

  await page.goto("/set/audit");
  const entered = page.getByRole("row").filter({ hasText: "进入租户（只读查看）" });
  await entered.filter({ hasText: name }).first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("impersonation: a hand-made write is refused; tabs follow; sign-out ends both sessions", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0));
  const second = await context.newPage();
  await second.goto("/cupboard/index");
  await second.getByRole("columnheader", { name: "租户" }).waitFor();
  await enter(page);
  await banner(second).waitFor();
  await second.goto("/cupboard/index");
  await second.getByRole("row").nth(1).waitFor();
  expect(await second.getByRole("columnheader", { name: "租户" }).count()).toBe(0);

  const reply = await page.evaluate(`(async () => {
    const { token, tenantId } = JSON.parse(localStorage.getItem("cupboard:auth"));
    const headers = { "auth-token": token, tenantId: String(tenantId), "content-type": "application/json" };
    const body = JSON.stringify({ call: "/admin/v1/locker/list", query: {} });
    const answer = await fetch("/api/admin/v1/export", { method: "POST", headers, body });
    return [answer.status, (await answer.json()).errMsg];
  })()`);
  expect(reply).toEqual([403, "正在以只读方式查看租户，不能修改：请先退出查看"]);

  await page.reload();
  await banner(page).waitFor();
  const auth = (await page.evaluate('localStorage.getItem("cupboard:auth")')) as string;
  const { token, tenantId, visit } = JSON.parse(auth);
  await page.getByRole("button", { name: /^用户菜单/ }).click();
  await page.getByRole("menuitem", { name: "退出登录" }).click();
  for (const each of [page, second]) await each.waitForURL((url) => url.pathname === "/login");
  const sessions = [
    { token, tenantId },
    { token: visit.own.token, tenantId: visit.own.tenantId },
  ];
  for (const session of sessions) {
    const status = await page.evaluate(
      `fetch("/api/admin/v1/menu", { headers: ${JSON.stringify({ "auth-token": session.token, tenantId: String(session.tenantId) })} })
        .then((answer) => answer.status)`,
    );
    expect(status).toBe(401);
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test("impersonation: expiry returns to the own account", async () => {
  const { context, page, complaints } = await demo.visit({ width: 390, height: 844 });
  await signIn(page, demo.server.account(1, 0));
  const openMenu = () => page.getByRole("button", { name: "展开菜单" }).click();
  // On a phone the button is in the drawer.
  await openMenu();
  await enter(page);
  await page.evaluate(`(() => {
    const kept = JSON.parse(localStorage.getItem("cupboard:auth"));
    kept.visit.endsAt = Date.now() + 2_500;
    localStorage.setItem("cupboard:auth", JSON.stringify(kept));
  })()`);
  await page.reload();
  await page.getByText(/的查看已到时间/).waitFor();
  await banner(page).waitFor({ state: "hidden" });
  await openMenu();
  await page.getByRole("button", { name: "进入租户" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("首页 and 数据大屏: platform staff filter by tenant, and links keep the filter", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0));
  const total = page.getByRole("link", { name: /^设备总数/ });
  const figure = async () =>
    Number((await total.locator("strong").textContent())?.replace(/\D/g, ""));
  await expect.poll(figure).toBeGreaterThan(0);
  const all = await figure();
  const pick = page.getByRole("combobox", { name: "租户", exact: true });
  const choose = async (name: string) => {
    await pick.click();
    await page.getByRole("option", { name, exact: true }).click();
  };
  // The tenant list loads separately and may arrive after the figures.
  await expect.poll(() => pick.getAttribute("placeholder")).toBe("全部租户");
  const { data: tenants } = await callApiAs(page, tenantContract.options, {});
  expect(tenants.length).toBeGreaterThan(2);
  let sum = 0;
  for (const { id, name } of tenants) {
    const responded = page.waitForResponse((reply) => {
      const { pathname, searchParams } = new URL(reply.url());
      return (
        /\/locker\/num\/statistics$/.test(pathname) && searchParams.get("tenantId") === String(id)
      );
    });
    await choose(name);
    sum += (await (await responded).json()).data.total;
  }
  expect(sum).toBe(all);
  const [, { id, name }] = tenants as [unknown, { id: number; name: string }];
  await choose(name);
  await total.click();
  await page.waitForURL((url) => url.searchParams.get("tenantId") === String(id));
  await expect.poll(() => pick.inputValue()).toBe(name);

  await page.goto("/largeScreen");
  await choose(name);
  expect(new URL(page.url()).searchParams.get("tenantId")).toBe(String(id));
  expect(complaints).toEqual([]);
  await context.close();
});
