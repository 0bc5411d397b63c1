// 开通设置 on 首页, the density of tables and the list of shortcuts: kept with the account.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { expect, test } from "vitest";
import { findViolations } from "./support/axe.ts";
import { go, RECORD_SHIFTS, signIn } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();
/** Its preferences change: other files sign in the operator of tenant 2. */
const operator = () => demo.server.account(3, 1);

test("checklist: says what is missing, moves nothing, leads to its pages, and is put away", async () => {
  const { context, page, complaints } = await demo.visit();
  await page.addInitScript(RECORD_SHIFTS);
  await signIn(page, operator());
  await page.getByRole("button", { name: /^已完成 \d\/6$/ }).click();
  const list = page.getByRole("region", { name: /^开通设置/ });
  const items = list.getByRole("listitem");
  await expect.poll(() => items.count()).toBe(6);
  await items.filter({ hasText: "地图 Key" }).getByRole("link", { name: "去设置" }).waitFor();
  expect(await page.evaluate("window.shifts")).toBe(0);
  expect(await findViolations(page)).toEqual([]);
  await items.filter({ hasText: "地图 Key" }).getByRole("link").click();
  await page.waitForURL("**/set/otherConfig");
  await page.goto("/dashboard");
  const { method } = accountContract.savePreference;
  const saved = page.waitForResponse(
    (reply) =>
      reply.request().method() === method &&
      reply.url().endsWith(urlPath(accountContract.savePreference)),
  );
  await list.getByRole("button", { name: "不再显示" }).click();
  await list.waitFor({ state: "hidden" });
  await saved;
  // Another browser of the account does not show it either.
  const other = await demo.visit({ width: 390, height: 844 });
  await signIn(other.page, operator());
  await other.page.locator(".dashboard-todo").waitFor();
  await expect.poll(() => other.page.locator("#setup").count()).toBe(0);
  expect([...complaints, ...other.complaints]).toEqual([]);
  await Promise.all([context.close(), other.context.close()]);
});

test("checklist: backup is for the platform's administrators, who can test the last one", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0));
  const list = page.getByRole("region", { name: /^开通设置/ });
  const backup = list.getByRole("listitem").filter({ hasText: "备份" });
  await backup.getByText("尚无备份，须每日备份").waitFor();
  await expect.poll(() => backup.getByRole("link").getAttribute("href")).toBe("/doc/sre#backup");
  // As a backup by another tool leaves it (docs/sre, 备份与恢复).
  await writeFile(path.join(demo.server.dataDir, "last-backup"), "");
  await page.reload();
  await backup.getByText(/^最近备份：/).waitFor();
  await backup.getByRole("button", { name: "验证备份" }).click();
  await page.getByText("备份由其他工具完成，请用该工具验证").waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("checklist: maintenance staff and store-bound accounts have none", async () => {
  const { context, page } = await demo.visit();
  await signIn(page, demo.server.account(2, 2));
  await page.getByRole("heading", { name: "待办" }).waitFor();
  await page.locator(".dashboard-todo").waitFor();
  expect(await page.locator("#setup").count()).toBe(0);
  await context.close();
});

test("density: compact rows are lower; shortcuts: ? shows them, but not while typing", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, operator(), "/cupboard/index");
  const row = page.getByRole("table", { name: "设备列表" }).locator("tbody tr").nth(1);
  await row.getByRole("link", { name: "编辑" }).waitFor();
  const heightOf = async () => (await row.boundingBox())?.height ?? 0;
  expect(await heightOf()).toBe(46);
  await page.getByLabel("编号/名称").press("?");
  const shortcuts = page.getByRole("dialog", { name: "快捷键" });
  expect(await shortcuts.count()).toBe(0);
  await page.getByRole("button", { name: "刷新", exact: true }).press("?");
  await shortcuts.getByText("打开搜索").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await shortcuts.waitFor({ state: "hidden" });
  await go(page, "/settings/index");
  await page.getByRole("group", { name: "表格密度" }).getByRole("button", { name: "紧凑" }).click();
  await go(page, "/cupboard/index");
  await row.getByRole("link", { name: "编辑" }).waitFor();
  expect(await heightOf()).toBe(34);
  expect(complaints).toEqual([]);
  await context.close();
});
