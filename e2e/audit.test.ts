// 操作审计, 登录日志 and 在线会话: entries of another account, the chain check, ending a session.
import { expect, test } from "vitest";
import { go, signIn } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const testServer = useWrittenDemo();

test("audit log: an edit is shown field by field, and the chain check passes", async () => {
  const { context, page, complaints } = await testServer.visit();
  await signIn(page, testServer.server.account(2, 1), "/point/index");
  await page
    .getByRole("row")
    .filter({ hasText: "HZ-01" })
    .getByRole("link", { name: "编辑" })
    .click();
  await page.getByLabel("备注").fill("靠近地铁口");
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/point/index");

  await go(page, "/set/audit");
  await page.getByRole("combobox", { name: "操作", exact: true }).fill("编辑门店");
  await page.getByTitle("编辑门店").last().click();
  await page.getByLabel("对象").fill("HZ-01");
  await page.getByRole("button", { name: "查询" }).click();
  const row = page.getByRole("row").filter({ hasText: "HZ-01" }).first();
  await row.getByText("李伟").waitFor();
  await row.getByRole("button").first().click();
  const drawer = page.getByRole("dialog", { name: "编辑门店" });
  const change = drawer.getByRole("row", { name: "备注 （空） 靠近地铁口" });
  await change.waitFor();
  await drawer.getByText(/^第 \d+ 条$/).waitFor();
  await drawer.getByRole("button", { name: /显示未变化的 \d+ 个字段/ }).click();
  await drawer.getByRole("row", { name: "门店名称" }).waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "校验" }).click();
  const check = page.getByRole("dialog", { name: "校验操作审计" });
  await check.getByText(/条记录完整，没有被改动、删除、插入或调换次序/).waitFor();
  await check.getByText("杭州禾木智存科技有限公司").waitFor();
  await expect.poll(() => check.getByRole("listitem").count()).toBe(1);
  expect(complaints).toEqual([]);
  await context.close();
});

/** Other files sign in the accounts of tenant 2, several times. */
test("online sessions: 强制下线 signs the account out at once and is audited", async () => {
  const staffVisit = await testServer.visit();
  await signIn(staffVisit.page, testServer.server.account(3, 2), "/cupboard/index");
  await staffVisit.page.getByRole("table", { name: "设备列表" }).waitFor();

  const { context, page, complaints } = await testServer.visit();
  await signIn(page, testServer.server.account(3, 1), "/set/loginLog");
  const first = page.getByRole("row").filter({ hasText: "demo3-operator" }).first();
  await first.getByText("登录成功").waitFor();
  await page.getByText("在线会话", { exact: true }).click();
  await page.waitForURL(/view=sessions/);
  const own = page.getByRole("row").filter({ hasText: "demo3-operator" });
  await own.getByText("当前会话").waitFor();
  const other = page.getByRole("row").filter({ hasText: "demo3-maintenance" });
  await other.getByRole("button", { name: "强制下线" }).click();
  const dialog = page.getByRole("dialog", { name: "强制下线" });
  await dialog.getByLabel("原因").fill("账号可能被他人使用");
  await dialog.getByRole("button", { name: "强制下线" }).click();
  await page.getByText("账号“demo3-maintenance”的会话已结束").waitFor();
  await other.waitFor({ state: "detached" });
  await staffVisit.page.waitForURL(/\/login/);
  await staffVisit.context.close();

  await go(page, "/set/audit");
  const entry = page.getByRole("row").filter({ hasText: "强制下线" }).first();
  await entry.getByText("账号 demo3-maintenance 的会话").waitFor();
  await entry.getByText("账号可能被他人使用").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
