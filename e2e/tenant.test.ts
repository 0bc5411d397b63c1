// 租户 from creation to deletion: limits and functions, its administrator, suspension at once.
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { chooseItem, signInByHand } from "./support/browser.ts";
import { exemptPlatform, setUpFactor } from "./support/factor.ts";
import { useTestServer } from "./support/test-server.ts";

const ADMIN = { username: "admin", password: "晴天 7 点-Kite" };
const NEW_PASSWORD = "Wnq4-Lz7p-Kd2x";

const testServer = useTestServer({ env: { ADMIN_PASSWORD: ADMIN.password } });

async function visitAs(account: { username: string; password: string }) {
  const visited = await testServer.visit();
  await signInByHand(visited.page, account);
  return visited;
}

beforeAll(async () => {
  const { context, page } = await testServer.visit();
  await page.goto("/login");
  await page.getByLabel("账号", { exact: true }).fill(ADMIN.username);
  await page.getByLabel("密码", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: "登录" }).click();
  await setUpFactor(page);
  await page.waitForURL("**/dashboard");
  await exemptPlatform(page);
  await context.close();
});

const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("button", { name, exact: true }) });
async function act(page: Page, name: string, action: string) {
  await page.getByRole("button", { name: `更多操作：${name}` }).click();
  await chooseItem(page, action);
  return page.getByRole("dialog", { name: new RegExp(`^${action}`) });
}
const inMenu = (page: Page, name: string) =>
  page.getByRole("navigation").getByText(name, { exact: true }).count();

test("SMS balances of tenants: a period in the URL is not a filter of the list", async () => {
  const { page } = await visitAs(ADMIN);
  await page.goto("/smsManage/synopsis?from=2026-11-01&to=2026-11-02");
  await page.getByText("为租户充值后，这里按还能用几天排列").waitFor();
});

test("tenant: created, signs in to its functions, restricted, suspended, deleted", async () => {
  const { context, page, complaints } = await visitAs(ADMIN);
  await page.goto("/register/index");
  await rowOf(page, "平台").getByText("长期有效").waitFor();
  await page.getByRole("button", { name: "新增租户" }).click();
  await page.getByRole("button", { name: "新增", exact: true }).click();
  await page.getByText("租户名称不能为空").waitFor();
  await page.getByText("账号不能为空").waitFor();
  await page.getByText("初始密码不能为空").waitFor();

  await page.getByLabel("租户名称").fill("平台");
  await page.getByLabel("账号上限").fill("2");
  await page.getByLabel("设备上限").fill("5");
  await page.getByLabel("联系人", { exact: true }).fill("沈佳宁");
  await page.getByLabel("联系电话").fill("13800003011");
  await page.getByLabel("账号", { exact: true }).fill("yungui");
  await page.getByLabel("姓名").fill("沈佳宁");
  await page.getByRole("button", { name: "生成" }).click();
  const password = await page.getByLabel("初始密码").inputValue();
  await page.getByRole("checkbox", { name: "短信管理" }).uncheck();
  await page.getByRole("button", { name: "新增", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "已有名为“平台”的租户" }).waitFor();
  await page.getByLabel("租户名称").fill("杭州云柜");
  await page.getByRole("button", { name: "新增", exact: true }).click();
  const handover = page.getByRole("dialog", { name: "租户“杭州云柜”已新增" });
  await handover.getByText(password).waitFor();
  await handover.getByLabel("我已记下密码").check();
  await handover.getByRole("button", { name: "完成" }).click();
  await page.waitForURL((url) => url.pathname === "/register/index");
  const row = rowOf(page, "杭州云柜");
  for (const text of ["正常", "长期有效", "1 / 2", "0 / 5", "沈佳宁 138****3011"]) {
    await row.getByText(text, { exact: true }).waitFor();
  }

  const exemption = await act(page, "杭州云柜", "两步验证例外");
  await exemption.getByLabel("原因").fill("正在统一配发安全密钥");
  await exemption.getByRole("button", { name: "例外 30 天" }).click();
  await page.getByText(/^租户“杭州云柜”例外至/).waitFor();

  const adminVisit = await testServer.visit();
  await adminVisit.page.goto("/login");
  await adminVisit.page.getByLabel("账号", { exact: true }).fill("yungui");
  await adminVisit.page.getByLabel("密码", { exact: true }).fill(password);
  await adminVisit.page.getByRole("button", { name: "登录" }).click();
  await adminVisit.page.getByLabel("原密码", { exact: true }).fill(password);
  await adminVisit.page.getByLabel("新密码", { exact: true }).fill(NEW_PASSWORD);
  await adminVisit.page.getByLabel("再次输入新密码", { exact: true }).fill(NEW_PASSWORD);
  await adminVisit.page.getByRole("button", { name: "保存并进入" }).click();
  await adminVisit.page.waitForURL((url) => url.pathname === "/dashboard");
  await adminVisit.page.getByText("数据大屏").waitFor();
  for (const name of ["短信管理", "租户管理", "权限列表"]) {
    expect(await inMenu(adminVisit.page, name), name).toBe(0);
  }
  // Typed URLs of platform pages are refused.
  for (const path of ["/register/index", "/register/registerAdd"]) {
    await adminVisit.page.goto(path);
    await adminVisit.page.getByText("没有权限访问").waitFor();
    expect(await adminVisit.page.getByRole("button", { name: /^新增/ }).count()).toBe(0);
  }
  await adminVisit.page.goto("/dashboard");

  await row.getByRole("link", { name: "编辑" }).click();
  await page.getByText("138****3011").waitFor();
  await page.getByRole("checkbox", { name: "数据大屏" }).uncheck();
  await expect.poll(() => page.getByRole("checkbox", { name: "首页" }).isDisabled()).toBe(true);
  expect(await page.getByRole("checkbox", { name: "短信管理" }).isChecked()).toBe(false);
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await page.getByText("租户“杭州云柜”已保存").waitFor();
  await expect.poll(() => inMenu(adminVisit.page, "数据大屏")).toBe(0);

  const features = await act(page, "杭州云柜", "可选功能");
  await features.getByRole("switch", { name: "开通第三方接口" }).click();
  await features.getByRole("switch", { name: "开通回调" }).click();
  const lastDay = addDays(shanghaiDay(Date.now()), 5);
  await features.getByLabel("导出截止日期").fill(lastDay);
  await features.getByLabel("导出截止日期").press("Tab");
  await features.getByLabel("原因").fill("试用期内不含接口");
  expect(await inMenu(adminVisit.page, "第三方接口")).toBe(1);
  await features.getByRole("button", { name: "保存", exact: true }).click();
  await row.getByText("2 项未开通，导出还有 5 天").waitFor();
  await expect.poll(() => inMenu(adminVisit.page, "第三方接口")).toBe(0);
  await page.goto("/register/index?featureWithinDays=7");
  await row.getByRole("button", { name: "杭州云柜", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "杭州云柜" });
  await drawer.getByText(`开通至 ${lastDay}`).waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });

  // The administrator's page holds the one channel; another page is told that there is none.
  await row.getByRole("link", { name: "编辑" }).click();
  await page.getByLabel("同时在线页面数").fill("1");
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await row.waitFor();
  const second = await visitAs({ username: "yungui", password: NEW_PASSWORD });
  // The administrator's page takes the channel a moment later.
  await vi.waitFor(
    async () => {
      await second.page.goto("/user/operationAdmin");
      await second.page.getByText("实时通道已用完").waitFor({ timeout: 10_000 });
    },
    { timeout: 120_000 },
  );
  await second.page.getByTitle("本租户已打开 1 个实时通道，达到上限").waitFor();
  await second.context.close();

  await rowOf(page, "杭州云柜").getByRole("button", { name: "续期" }).click();
  const renewal = page.getByRole("dialog", { name: "续期：杭州云柜" });
  await renewal.getByText("（原为长期有效）").waitFor();
  await renewal.getByRole("button", { name: "1 个月" }).click();
  await renewal.getByLabel("原因").fill("按月试用");
  await renewal.getByRole("button", { name: "续期", exact: true }).click();
  // Longer than 30 days, and not yet 即将到期, in a month of 31.
  await row.getByText(/^(2[789]|3[01]) 天$/).waitFor();

  await page.getByRole("button", { name: "更多操作：杭州云柜" }).click();
  await page.getByRole("menuitem", { name: "删除 先停用，才能删除" }).waitFor();
  await page.keyboard.press("Escape");
  const suspension = await act(page, "杭州云柜", "停用");
  await suspension.getByText("已存的物品可照常取出并结清费用").waitFor();
  await suspension.getByRole("button", { name: "租户申请停用" }).click();
  await suspension.getByRole("button", { name: "停用", exact: true }).click();
  await row.getByText("已停用").waitFor();
  await adminVisit.page.waitForURL((url) => url.pathname === "/login");
  await adminVisit.page.getByText("租户信息已过期，请联系客服").first().waitFor();
  expect(adminVisit.complaints).toEqual([]);
  await adminVisit.context.close();

  const removal = await act(page, "杭州云柜", "删除");
  await removal.getByText("已核对：没有设备、物品和未结清的款项").waitFor();
  await removal.getByRole("button", { name: "删除", exact: true }).click();
  await page.getByText("租户“杭州云柜”已删除").waitFor();
  await row.waitFor({ state: "detached" });
  await page.goto("/register/index?state=DELETED");
  await row.getByText("已删除").waitFor();
  await page.getByRole("button", { name: "杭州云柜", exact: true }).click();
  const detail = page.getByRole("dialog", { name: "杭州云柜" });
  await detail.getByText("未开通以下 2 项").waitFor();
  await detail.getByRole("button", { name: "查看完整手机号" }).click();
  await detail.getByText("13800003011").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
}, 120_000);
