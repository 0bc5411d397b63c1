// A session that ends while a form has unsaved input: the sign-in is laid over the page.
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { signIn, storeSession } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

const coverOf = (page: Page) => page.getByRole("dialog", { name: "重新登录" });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function open() {
  const account = demo.server.account(2, 0);
  const { context, page } = await demo.visit();
  await signIn(page, account, "/faq/faqEdit");
  await page.getByLabel("问题").fill("怎样取件");
  return { account, context, page };
}

/** Elsewhere, so that this page learns of it by a refusal. */
const endSession = (page: Page) => callApiAs(page, authContract.logout, {});

test("the same account signs in over its form, and the save that was refused goes on", async () => {
  const { account, context, page } = await open();
  await page.getByLabel("分类").press("ArrowDown");
  await page.getByLabel("分类").press("Enter");
  await page.getByRole("textbox", { name: "回答" }).fill("输入取件码，柜门会自动打开。");
  // Not before the press: the live channel would tell the page at once.
  const save = (route: Route) => endSession(page).then(() => route.continue());
  await page.route("**/faq/save", save, { times: 1 });
  await button(page, "新增").click();
  const cover = coverOf(page);
  await cover.waitFor();
  expect(await page.evaluate("document.activeElement.name")).toBe("password");
  expect(new URL(page.url()).pathname).toBe("/faq/faqEdit");
  expect(await page.evaluate("localStorage.getItem('cupboard:auth')")).toBeNull();
  expect(await cover.getByLabel("账号").inputValue()).toBe(account.username);
  await page.keyboard.press("Escape");
  await cover.getByLabel("密码", { exact: true }).fill("wrong");
  await cover.getByRole("button", { name: "登录", exact: true }).click();
  await cover.getByRole("alert").filter({ hasText: "密码" }).waitFor();
  await cover.getByLabel("密码", { exact: true }).fill(account.password);
  await cover.getByRole("button", { name: "登录", exact: true }).click();
  await page.getByText("“怎样取件”已新增").waitFor();
  await page.waitForURL((url) => url.pathname === "/faq/index");
  await context.close();
});

test("换个账号登录 leaves nothing of the former page", async () => {
  const { context, page } = await open();
  await endSession(page);
  await coverOf(page).waitFor();
  await coverOf(page).getByRole("button", { name: "换个账号登录" }).click();
  await page.waitForURL((url) => url.pathname === "/login");
  await signIn(page, demo.server.account(2, 1), "/faq/faqEdit");
  await page.getByLabel("问题").waitFor();
  expect(await page.getByLabel("问题").inputValue()).toBe("");
  await context.close();
});

test("in two tabs: who signs in in one goes on in the other, who signs out leaves both", async () => {
  const { account, context, page } = await open();
  const other = await context.newPage();
  await other.goto("/dashboard");
  await other.getByRole("button", { name: /^用户菜单/ }).waitFor();
  await endSession(other);
  await coverOf(page).waitFor();
  await other.waitForURL((url) => url.pathname === "/login");
  await storeSession(other, account);
  await coverOf(page).waitFor({ state: "detached" });
  expect(await page.getByLabel("问题").inputValue()).toBe("怎样取件");

  await other.goto("/dashboard");
  await other.getByRole("button", { name: /^用户菜单/ }).click();
  await other.getByRole("menuitem", { name: "退出登录" }).press("Enter");
  await page.waitForURL((url) => url.pathname === "/login");
  expect(await coverOf(page).count()).toBe(0);
  await context.close();
});

test("another account that signs in in another tab: the save that waited is not made", async () => {
  const { context, page } = await open();
  await page.getByLabel("分类").press("ArrowDown");
  await page.getByLabel("分类").press("Enter");
  await page.getByRole("textbox", { name: "回答" }).fill("输入取件码，柜门会自动打开。");
  const saves: string[] = [];
  await page.route("**/faq/save", async (route) => {
    saves.push(route.request().headers()["auth-token"] ?? "");
    if (saves.length === 1) await endSession(page);
    await route.continue();
  });
  await button(page, "新增").click();
  await coverOf(page).waitFor();
  const other = await context.newPage();
  await storeSession(other, demo.server.account(2, 1));
  await coverOf(page).waitFor({ state: "detached" });
  // The page is drawn anew for the other account.
  await expect.poll(() => page.getByLabel("问题").inputValue()).toBe("");
  expect(saves).toHaveLength(1);
  await context.close();
});
