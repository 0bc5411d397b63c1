// 运维人员 and 运营人员: accounts from first password to deletion, lockout and unlock.
import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { chooseItem, signInByHand, storeSession } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const testServer = useWrittenDemo();

async function signedIn(tenantId: number, userType: 0 | 1 | 2) {
  const visited = await testServer.visit();
  await storeSession(visited.page, testServer.server.account(tenantId, userType));
  return visited;
}

const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("button", { name, exact: true }) });

/** Option of the open dropdown. */
const optionOf = (page: Page, name: string) =>
  page.locator(".ant-select-dropdown:visible").getByTitle(name, { exact: true });

async function act(page: Page, name: string, action: string) {
  await page.getByRole("button", { name: `更多操作：${name}` }).click();
  await chooseItem(page, action);
  return page.getByRole("dialog", { name: new RegExp(`^${action}`) });
}

/** Reads the one-time password and closes the dialog. */
async function takePassword(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole("dialog", { name: title });
  const password = await dialog.locator("code").nth(1).textContent();
  await expect.poll(() => dialog.getByRole("button", { name: "完成" }).isDisabled()).toBe(true);
  await dialog.getByLabel("我已记下密码").check();
  await dialog.getByRole("button", { name: "完成" }).click();
  await dialog.waitFor({ state: "hidden" });
  return password ?? "";
}

async function typeCredentials(page: Page, username: string, password: string) {
  await page.goto("/login");
  await page.getByLabel("账号", { exact: true }).fill(username);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await page.getByRole("button", { name: "登录" }).click();
}

/** Sets the client address: failed sign-ins lock out an address for all accounts. */
const comeFrom = (context: BrowserContext, address: string) =>
  context.setExtraHTTPHeaders({ "x-forwarded-for": address });

test("maintenance staff: created, signed in, password reset, disabled, deleted", async () => {
  const { context, page, complaints } = await signedIn(2, 1);
  await page.goto("/user/userAdmin");
  await page.getByRole("button", { name: "新增运维人员" }).click();
  const drawer = page.getByRole("dialog", { name: "新增运维人员" });
  await drawer.getByRole("button", { name: "新增", exact: true }).click();
  for (const text of ["姓名不能为空", "账号不能为空", "角色不能为空", "初始密码不能为空"]) {
    await drawer.getByText(text).waitFor();
  }
  await drawer.getByLabel("姓名").fill("高远");
  await drawer.getByLabel("账号", { exact: true }).fill("demo3-operator");
  await drawer.getByLabel("手机号").fill("13800009901");
  await drawer.getByLabel("角色").click();
  await optionOf(page, "运维人员（本人负责的门店）").click();
  await drawer.getByLabel("负责的门店").click();
  await optionOf(page, "蒋村花园店").click();
  await drawer.getByLabel("姓名").click();
  await drawer.getByRole("button", { name: "生成" }).click();
  await drawer.getByRole("button", { name: "新增", exact: true }).click();
  await drawer.getByRole("alert").getByText("账号“demo3-operator”已被使用").waitFor();
  await expect.poll(() => drawer.getByLabel("姓名").inputValue()).toBe("高远");
  await drawer.getByLabel("账号", { exact: true }).fill("gao.yuan");
  await drawer.getByRole("button", { name: "新增", exact: true }).click();
  const first = await takePassword(page, "运维人员“高远”已新增");
  const row = rowOf(page, "高远");
  for (const text of ["gao.yuan", "138****9901", "1 家：蒋村花园店", "待首次登录", "从未登录"]) {
    await row.getByText(text).waitFor();
  }

  const worker = await testServer.visit();
  await typeCredentials(worker.page, "gao.yuan", first);
  await worker.page.getByRole("heading", { name: "修改密码" }).waitFor();
  const own = "晴天 7 点出发-Kite";
  await worker.page.getByLabel("新密码", { exact: true }).fill(own);
  await worker.page.getByLabel("再次输入新密码", { exact: true }).fill(own);
  await worker.page.getByRole("button", { name: "保存并进入" }).click();
  await worker.page.waitForURL((url) => url.pathname === "/dashboard");
  await page.getByRole("button", { name: "刷新" }).click();
  await row.getByText("正常").waitFor();

  await page.getByRole("button", { name: "高远", exact: true }).click();
  const detail = page.getByRole("dialog", { name: "高远（gao.yuan）" });
  await detail.getByText("已由本人设置").waitFor();
  await detail.getByText("1 个", { exact: true }).waitFor();
  await detail.getByRole("button", { name: "查看完整手机号" }).click();
  await detail.getByRole("link", { name: "13800009901" }).waitFor();
  await page.keyboard.press("Escape");

  const reset = await act(page, "高远", "重置密码");
  await reset.getByRole("button", { name: "生成" }).click();
  await reset.getByRole("button", { name: "重置", exact: true }).click();
  await reset.getByText("原因不能为空").waitFor();
  await reset.getByLabel("原因").fill("本人忘记密码，已当面核实");
  await reset.getByRole("button", { name: "重置", exact: true }).click();
  const second = await takePassword(page, "“高远”的密码已重置");
  expect(second).not.toBe(first);
  await row.getByText("待改密码").waitFor();
  await testServer.run(
    "update operator set first_password_until = now() - interval '1 day' where username = 'gao.yuan'",
  );
  await page.getByRole("button", { name: "刷新" }).click();
  await row.getByText("初始密码已过期").waitFor();
  // The reset ended the account's session: its next page leads to the sign-in.
  await worker.page.goto("/cupboard/index");
  await worker.page.waitForURL((url) => url.pathname === "/login");

  const disabling = await act(page, "高远", "停用");
  await disabling.getByRole("button", { name: "已离职" }).click();
  await disabling.getByRole("button", { name: "停用", exact: true }).click();
  await page.getByText("账号“高远”已停用").waitFor();
  await row.getByText("已停用").waitFor();
  await page.getByRole("button", { name: "撤销" }).click();
  await page.getByText("已撤销").waitFor();
  await row.getByText("已停用").waitFor({ state: "detached" });
  const again = await act(page, "高远", "停用");
  await again.getByRole("button", { name: "已离职" }).click();
  await again.getByRole("button", { name: "停用", exact: true }).click();
  await row.getByText("已停用").waitFor();
  await comeFrom(worker.context, "198.51.100.7");
  await typeCredentials(worker.page, "gao.yuan", second);
  await worker.page.getByText("账号或密码不正确").waitFor();

  const removal = await act(page, "高远", "删除");
  await removal.getByText("1 家门店将不再由其负责").waitFor();
  await removal.getByRole("button", { name: "删除", exact: true }).click();
  await page.getByText("账号“高远”已删除").waitFor();
  await row.waitFor({ state: "detached" });
  expect([...complaints, ...worker.complaints]).toEqual([]);
  await worker.context.close();
  await context.close();
});

test("blocked account: 解除限制 lets it sign in again", async () => {
  const { context, page, complaints } = await signedIn(2, 1);
  const account = testServer.server.account(2, 2);
  const worker = await testServer.visit();
  await comeFrom(worker.context, "198.51.100.8");
  // Open the list first: the first lockout is short.
  await page.goto("/user/userAdmin?state=LOCKED");
  await page.getByText("暂无符合条件的").first().waitFor();
  for (let failure = 1; failure <= 4; failure++) {
    await typeCredentials(worker.page, account.username, "not this one 1");
    await worker.page.getByText("账号或密码不正确").waitFor();
  }
  await typeCredentials(worker.page, account.username, "not this one 1");
  await worker.page.getByText("尝试次数过多").waitFor();
  await page.getByRole("button", { name: "刷新" }).click();
  const row = rowOf(page, "孙浩");
  await row.getByText("登录受限").waitFor();
  const unlocking = await act(page, "孙浩", "解除限制");
  await unlocking.getByRole("button", { name: "本人输错密码，已核实身份" }).click();
  await unlocking.getByRole("button", { name: "解除限制", exact: true }).click();
  await page.getByText("账号“孙浩”已解除登录限制").waitFor();
  await row.waitFor({ state: "detached" });
  await signInByHand(worker.page, account);
  expect([...complaints, ...worker.complaints]).toEqual([]);
  await worker.context.close();
  await context.close();
});

test("platform: creates administrators, assigns roles, cannot disable its own account", async () => {
  const { context, page, complaints } = await signedIn(1, 0);
  await page.goto("/user/operationAdmin?tenantId=1");
  await page.getByRole("button", { name: "新增运营人员" }).click();
  const drawer = page.getByRole("dialog", { name: "新增运营人员" });
  await drawer.getByLabel("租户").click();
  await optionOf(page, "平台").click();
  await drawer.getByRole("button", { name: "管理员", exact: true }).click();
  await drawer.getByLabel("角色").waitFor({ state: "detached" });
  await drawer.getByLabel("姓名").fill("叶青");
  await drawer.getByLabel("账号", { exact: true }).fill("ye.qing");
  await drawer.getByRole("button", { name: "生成" }).click();
  await drawer.getByRole("button", { name: "新增", exact: true }).click();
  await takePassword(page, "管理员“叶青”已新增");
  await rowOf(page, "叶青").getByText("管理员", { exact: true }).waitFor();

  await page.getByRole("button", { name: "更多操作：陈思远" }).click();
  const blocked = page.getByRole("menuitem", { name: /停用/ });
  await blocked.getByText("请由其他管理员操作").waitFor();
  await page.keyboard.press("Escape");

  await page.goto("/user/operationAdmin?keyword=蒋文");
  // The dialog refetches the account's roles instead of using those of the list.
  const requested = page.waitForRequest(/\/api\/admin\/v1\/role\/uid\/info\/\d+$/);
  const held = Promise.withResolvers<void>();
  await page.route(/\/role\/options\?tenantId=2$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await rowOf(page, "蒋文").getByRole("button", { name: "分配角色" }).click();
  await requested;
  const roles = page.getByRole("dialog", { name: "分配角色" });
  // Before the choices are there, the role has no name: its number is not shown instead.
  await roles.getByText("正在加载…").waitFor();
  expect(await roles.locator(".ant-select-selection-item").count()).toBe(0);
  held.resolve();
  await roles.locator(".ant-select-selection-item-remove").click();
  await roles.locator(".ant-select-selection-item").waitFor({ state: "detached" });
  await roles.getByRole("button", { name: "保存" }).click();
  await page.getByText("“蒋文”的角色已更新").waitFor();
  await rowOf(page, "蒋文").getByText("未分配").first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("new operator: role options show their store scope; stores without effect are refused", async () => {
  const { context, page, complaints } = await signedIn(2, 1);
  await page.goto("/user/operationAdmin");
  await page.getByRole("button", { name: "新增运营人员" }).click();
  const drawer = page.getByRole("dialog", { name: "新增运营人员" });
  await drawer.getByLabel("姓名").fill("李晓丽");
  await drawer.getByLabel("账号", { exact: true }).fill("xiaoli.li");
  await drawer.getByRole("button", { name: "生成" }).click();
  await drawer.getByLabel("角色").click();
  await optionOf(page, "运营管理员（全部门店）").click();
  await drawer.getByLabel("负责的门店").click();
  await optionOf(page, "蒋村花园店").click();
  const contradiction = drawer.getByRole("alert").filter({ hasText: "门店范围是全部门店" });
  await contradiction.waitFor();
  await drawer.getByLabel("姓名").click();
  await drawer.getByRole("button", { name: "新增", exact: true }).click();
  await expect.poll(() => contradiction.count()).toBe(2);
  expect(await rowOf(page, "李晓丽").count()).toBe(0);
  await drawer.getByLabel("负责的门店").press("Backspace");
  await expect.poll(() => contradiction.count()).toBe(1);
  await drawer
    .getByRole("status")
    .getByText(/^可见 全部 \d+ 家门店、\d+ 台设备$/)
    .waitFor();
  await drawer.getByRole("button", { name: "新增", exact: true }).click();
  await takePassword(page, "运营人员“李晓丽”已新增");
  await rowOf(page, "李晓丽").getByText("全部门店", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
