// 角色管理: create, assign, change and delete a role while its member's menu follows live.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chooseItem, signIn } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const testServer = useWrittenDemo();

async function signedIn(tenantId: number, userType: 0 | 1 | 2) {
  const visited = await testServer.visit();
  await signIn(visited.page, testServer.server.account(tenantId, userType));
  return visited;
}

const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("button", { name, exact: true }) });
const menuOf = (page: Page) => page.getByRole("navigation", { name: "主菜单" });
async function act(page: Page, name: string, action: string) {
  await page.getByRole("button", { name: `更多操作：${name}` }).click();
  await chooseItem(page, action);
  return page.getByRole("dialog", { name: new RegExp(`^${action}`) });
}

test("role: created, assigned, changed and deleted; the member's sidebar follows live", async () => {
  const { context, page, complaints } = await signedIn(2, 1);
  const member = await signedIn(2, 2);
  const account = testServer.server.account(2, 2).username;
  await menuOf(member.page).getByRole("button", { name: "设备管理" }).waitFor();
  expect(await menuOf(member.page).getByText("问题列表").count()).toBe(0);

  await page.goto("/set/role");
  await page.getByRole("button", { name: "新增角色" }).click();
  await page.getByLabel("角色名称").fill("运营管理员");
  await page.getByRole("button", { name: "新增", exact: true }).click();
  await page.getByText("门店范围不能为空").waitFor();
  await page.getByRole("radio", { name: "指定门店" }).check();
  await page.getByRole("button", { name: "新增", exact: true }).click();
  await page.getByText("请至少选择一家门店").waitFor();
  await page.getByRole("combobox", { name: "门店" }).click();
  await page.getByTitle("蒋村花园店").click();
  await page.getByRole("combobox", { name: "门店" }).press("Escape");
  const box = (name: string) => page.getByRole("checkbox", { name, exact: true });
  await box("问题列表").check();
  await box("编辑门店").check();
  await expect.poll(() => box("门店列表").isChecked()).toBe(true);
  await expect.poll(() => page.locator("input:indeterminate").count()).toBe(2);
  await page.getByRole("button", { name: "新增", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "已有名为“运营管理员”的角色" }).waitFor();
  await expect.poll(() => box("问题列表").isChecked()).toBe(true);
  await page.getByLabel("角色名称").fill("值班");
  await page.getByRole("button", { name: "新增", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/set/role" && url.search === "");
  const row = rowOf(page, "值班");
  for (const text of ["指定门店（1 家）", "页面 2 · 操作 1"]) await row.getByText(text).waitFor();

  const choose = async (name: string) => {
    await row.getByRole("button", { name: "成员" }).click();
    const dialog = page.getByRole("dialog", { name: "成员：值班" });
    await dialog.getByPlaceholder("按姓名或账号查找").fill(name);
    const person = dialog.getByRole("checkbox", { name: new RegExp(name) });
    if (await person.isChecked()) await person.uncheck();
    else await person.check();
    await dialog.getByRole("button", { name: "保存" }).click();
    await dialog.waitFor({ state: "hidden" });
  };
  await choose(account);
  await page.getByText("“值班”加入 1 人，移出 0 人").waitFor();
  await menuOf(member.page).getByText("问题列表").waitFor();
  await menuOf(member.page).getByText("问题列表").click();
  await member.page.waitForURL((url) => url.pathname === "/faq/index");

  await row.getByRole("button", { name: "值班", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "值班" });
  await drawer.getByText("门店列表（编辑门店）").waitFor();
  await drawer.getByText(account).waitFor();
  await page.keyboard.press("Escape");

  await row.getByRole("link", { name: "编辑" }).click();
  await page.getByRole("heading", { name: "编辑角色：值班" }).waitFor();
  await box("问题列表").uncheck();
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await page.getByText("角色“值班”已保存").waitFor();
  await member.page.getByText("没有权限访问“问题列表”").waitFor();
  await menuOf(member.page).getByText("问题列表").waitFor({ state: "detached" });

  const remove = await act(page, "值班", "删除");
  await remove.getByText(/1 名成员会立即失去它的权限/).waitFor();
  await remove.getByRole("button", { name: "删除", exact: true }).click();
  await page.getByText("角色“值班”已删除").waitFor();
  await row.waitFor({ state: "detached" });
  expect([...complaints, ...member.complaints]).toEqual([]);
  await member.context.close();
  await context.close();
});

test("menu tree: an external link has its icon and opens in a new tab; an unknown path is marked", async () => {
  const { context, page, complaints } = await signedIn(1, 0);
  await page.goto("/set/power");
  await page.getByRole("button", { name: "新增菜单" }).click();
  const drawer = page.getByRole("dialog", { name: "新增菜单" });
  await drawer.getByLabel("名称").fill("接入帮助");
  await drawer.getByLabel("路径").fill("/nowhere");
  await drawer.getByText("/nowhere 没有对应的页面").waitFor();
  const address = `${testServer.server.origin}/doc/sdk`;
  await drawer.getByLabel("路径").fill(address);
  const icon =
    "data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%2024%2024%22%3E%3Ccircle%20cx=%2212%22%20cy=%2212%22%20r=%229%22/%3E%3C/svg%3E";
  await drawer.getByLabel("图标").fill(icon);
  await page.locator(".ant-select-item-option").filter({ hasText: "外部图标" }).click();
  await drawer.getByRole("button", { name: "保存" }).click();
  await drawer.waitFor({ state: "hidden" });
  const row = page.getByRole("row").filter({ hasText: address });
  await row.getByText("外部链接").waitFor();
  expect(await page.getByText("无对应页面").count()).toBe(0);

  const link = menuOf(page).getByRole("link", { name: "接入帮助" });
  await link.waitFor();
  await expect.poll(() => link.getAttribute("rel")).toContain("noopener");
  const mask = await page.evaluate<string>(
    `getComputedStyle(document.querySelector('a[href="${address}"] .menu-icon')).maskImage`,
  );
  expect(mask).toContain("data:image/svg+xml");
  for (const opens of ["expanded", "collapsed"]) {
    if (opens === "collapsed") await page.getByRole("button", { name: "收起菜单" }).click();
    const [tab] = await Promise.all([context.waitForEvent("page"), link.click()]);
    await tab.waitForURL(address);
    await tab.close();
    expect(new URL(page.url()).pathname, opens).toBe("/set/power");
  }
  expect(complaints).toEqual([]);
  await context.close();
});
