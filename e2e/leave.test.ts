// Leaving a page with unsaved input: by Back, Forward, links and programmatic navigation.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { storeSession } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

const questionOf = (page: Page) => page.getByRole("dialog", { name: /^放弃未保存的/ });
/** Not `page.goBack()`: it waits for a navigation, which the question may prevent. */
const back = (page: Page) => page.evaluate("history.back()");

async function answer(page: Page, name: string): Promise<void> {
  const question = questionOf(page);
  await question.getByRole("button", { name, exact: true }).click();
  await question.waitFor({ state: "hidden" });
}

async function atHome(tenantId: number, userType: 0 | 1) {
  const visited = await demo.visit();
  await storeSession(visited.page, demo.server.account(tenantId, userType));
  return visited;
}

/** Opens the first cabinet's edit page from the list and changes its place description. */
async function editCabinet(page: Page): Promise<string> {
  await page.goto("/cupboard/index?sort=name&order=asc");
  await page.getByRole("link", { name: "编辑", exact: true }).first().click();
  await page.getByLabel("位置说明").fill("三楼电梯旁");
  await page.getByText("未保存的修改：位置说明").waitFor();
  return page.url();
}

test("Back and Forward: ask before an edited cabinet is discarded; staying keeps the text", async () => {
  const { context, page, complaints } = await atHome(2, 0);
  const address = await editCabinet(page);
  await back(page);
  await answer(page, "继续编辑");
  expect(page.url()).toBe(address);
  await expect.poll(() => page.getByLabel("位置说明").inputValue()).toBe("三楼电梯旁");
  // Back pressed twice asks only once.
  await back(page);
  await questionOf(page).waitFor();
  await back(page);
  await answer(page, "放弃修改");
  await page.waitForURL((url) => url.pathname === "/cupboard/index");
  expect(await questionOf(page).count()).toBe(0);

  await page.evaluate("history.forward()");
  await page.waitForURL(address);
  expect(await page.getByLabel("位置说明").inputValue()).not.toBe("三楼电梯旁");
  await page.getByLabel("位置说明").fill("三楼电梯旁");
  await page.getByRole("link", { name: "跳到正文" }).press("Enter");
  expect(await questionOf(page).count()).toBe(0);
  await page.getByRole("link", { name: "智能存取系统，回到首页" }).click();
  await answer(page, "继续编辑");
  await page.getByRole("link", { name: "返回设备列表" }).click();
  await answer(page, "放弃修改");
  await page.waitForURL((url) => url.pathname === "/cupboard/index");
  expect(complaints).toEqual([]);
  await context.close();
});

test("进入租户 and 退出登录: ask before an edited form is discarded", async () => {
  const { context, page, complaints } = await atHome(1, 0);
  await editCabinet(page);
  await page.getByRole("button", { name: "进入租户" }).click();
  await answer(page, "继续编辑");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("button", { name: "进入租户" }).click();
  await answer(page, "放弃修改");
  const choice = page.getByRole("dialog", { name: "进入租户" });
  await choice.getByRole("button", { name: "取消" }).click();
  await choice.waitFor({ state: "hidden" });

  const signOut = async () => {
    await page.getByRole("button", { name: /^用户菜单/ }).click();
    await page.getByRole("menuitem", { name: "退出登录" }).press("Enter");
  };
  await signOut();
  await answer(page, "继续编辑");
  await expect.poll(() => page.getByLabel("位置说明").inputValue()).toBe("三楼电梯旁");
  await signOut();
  await answer(page, "放弃修改");
  await page.waitForURL((url) => url.pathname === "/login" && url.search === "");
  expect(complaints).toEqual([]);
  await context.close();
});

test("unsaved input: another view of the same path asks, and so does a dialog over a list", async () => {
  const { context, page, complaints } = await atHome(2, 0);
  const menu = page.getByRole("navigation", { name: "主菜单" });
  await page.goto("/set/role");
  await page.getByRole("button", { name: "新增角色" }).click();
  await page.waitForURL(/view=edit/);
  await page.getByLabel("角色名称").fill("夜班");
  await menu.getByRole("link", { name: "角色管理" }).click();
  await answer(page, "继续填写");
  await expect.poll(() => page.getByLabel("角色名称").inputValue()).toBe("夜班");
  await back(page);
  await answer(page, "放弃");
  await page.waitForURL((url) => url.pathname === "/set/role" && url.search === "");

  await menu.getByRole("button", { name: "用户管理" }).click();
  await menu.getByRole("link", { name: "用户列表" }).click();
  await page
    .getByRole("group", { name: "切换用户与标签" })
    .getByRole("button", { name: "标签" })
    .click();
  await page.getByRole("button", { name: "新增标签" }).click();
  const name = page.getByRole("dialog").getByLabel("标签名称");
  await name.fill("常客");
  await back(page);
  await answer(page, "继续填写");
  await expect.poll(() => name.inputValue()).toBe("常客");
  await back(page);
  await answer(page, "放弃");
  await page.waitForURL((url) => url.pathname === "/user/normalUser" && url.search === "");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a reload: a new store keeps its code, a new package its kind and the fields of that kind", async () => {
  const { context, page } = await atHome(1, 0);
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto("/point/pointEdit");
  await page.getByRole("combobox", { name: "租户" }).click();
  await page.getByText("杭州禾木智存科技有限公司", { exact: true }).last().click();
  await page.reload();
  await page.getByRole("button", { name: /^使用建议的/ }).click();
  const code = await page.getByLabel("门店编码").inputValue();
  expect(code).not.toBe("");
  await page.reload();
  await page.getByText("已恢复上次未保存的内容").waitFor();
  expect(await page.getByLabel("门店编码").inputValue()).toBe(code);

  await page.goto("/cupboardRun/pay/mealAdd");
  await page.getByText("次卡", { exact: true }).click();
  await page.getByLabel("可用次数").fill("12");
  await page.reload();
  await page.getByText("已恢复上次未保存的内容").waitFor();
  expect(await page.getByLabel("可用次数").inputValue()).toBe("12");
  await page.getByRole("button", { name: "放弃恢复" }).click();
  await page.getByLabel("充值金额").waitFor();
  await context.close();
});

test("a reload: 编辑设备 and 设备类型 offer their input, the drawn layout too", async () => {
  const { context, page } = await atHome(1, 0);
  page.on("dialog", (dialog) => dialog.accept());
  const forget = page.getByRole("button", { name: "放弃恢复" });
  await editCabinet(page);
  await page.getByLabel("音量").fill("35");
  await page.reload();
  await page.getByText("未保存的修改：位置说明、设备参数").waitFor();
  expect(await page.getByLabel("位置说明").inputValue()).toBe("三楼电梯旁");
  expect(await page.getByLabel("音量").inputValue()).toBe("35");
  await forget.click();
  await page.getByText("暂无修改").waitFor();
  expect(await page.getByLabel("位置说明").inputValue()).not.toBe("三楼电梯旁");

  await page.goto("/cupboard/ModelAdd");
  const doors = page.getByRole("gridcell");
  await doors.first().click();
  const before = await doors.count();
  await page.keyboard.press("Delete");
  await page.getByLabel("名称").fill("少一格");
  const left = await doors.evaluateAll((all) => all.map((each) => each.textContent));
  await page.reload();
  await forget.waitFor();
  expect(await page.getByLabel("名称").inputValue()).toBe("少一格");
  expect(await doors.evaluateAll((all) => all.map((each) => each.textContent))).toEqual(left);
  await forget.click();
  await expect.poll(() => page.getByLabel("名称").inputValue()).toBe("");
  await expect.poll(() => doors.count()).toBe(before);
  await page.getByRole("button", { name: "取消" }).click();
  await page.waitForURL((url) => url.pathname === "/cupboard/ModelList");
  await context.close();
});

test("编辑设备: takes no input during a save", async () => {
  const { context, page } = await atHome(1, 0);
  await editCabinet(page);
  await page.getByLabel("位置说明").fill("未保存");
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/locker/*", async (route) => {
    if (route.request().method() === "GET") return route.continue();
    await promise;
    await route.fulfill({ status: 500 });
  });
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await expect
    .poll(() => page.locator(".cabinet-edit-main").evaluate((main) => main.matches("[inert]")))
    .toBe(true);
  resolve();
  await page.locator(".cabinet-edit-bar [role=alert]").waitFor();
  expect(await page.getByLabel("位置说明").inputValue()).toBe("未保存");
  await context.close();
});
