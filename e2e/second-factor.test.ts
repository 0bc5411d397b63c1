// 两步验证: set up in 个人设置, asked for at sign-in and before a sensitive action, demanded by a role.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signIn } from "./support/browser.ts";
import { codeAt, keepRecoveryCodes, setUpFactor, shownSecret } from "./support/factor.ts";
import type { Account } from "./support/server.ts";
import { useDemo } from "./support/test-server.ts";

const demo = useDemo();

/** Types account and password; stays on /login where a second step follows. */
async function typePassword(page: Page, origin: string, account: Account) {
  await page.goto(`${origin}/login`);
  await page.getByLabel("账号", { exact: true }).fill(account.username);
  await page.getByLabel("密码", { exact: true }).fill(account.password);
  await page.getByRole("button", { name: "登录" }).click();
}

test("authenticator: bound in 个人设置, asked for at sign-in, replaced by a recovery code", async () => {
  const { context, page, complaints } = await demo.visit();
  const account = demo.server.account(2, 0);
  await signIn(page, account, "/settings/index");
  await page.getByRole("button", { name: "绑定", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "绑定验证器" });
  const secret = await shownSecret(page);
  await dialog.getByLabel("验证码").fill("12345");
  await dialog.getByRole("button", { name: "绑定" }).click();
  await dialog.getByText("请输入 6 位数字的验证码").waitFor();
  await dialog.getByLabel("验证码").fill(codeAt(secret, 0));
  await dialog.getByRole("button", { name: "绑定" }).click();
  const [recoveryCode = ""] = await keepRecoveryCodes(page);
  await page.getByText("剩余 10 个").waitFor();

  const { page: other, context: otherContext } = await demo.visit();
  await typePassword(other, demo.server.origin, account);
  await other.getByRole("heading", { name: "两步验证" }).waitFor();
  await other.goto("/settings/index");
  await other.getByRole("heading", { name: "两步验证" }).waitFor();
  await other.getByLabel("验证码").fill("000000");
  await other.getByRole("button", { name: "验证", exact: true }).click();
  await other.getByText("验证没有通过").waitFor();
  await other.getByLabel("验证码").fill(codeAt(secret, 1));
  await other.getByRole("button", { name: "验证", exact: true }).click();
  await other.waitForURL((url) => url.pathname === "/settings/index");

  const { page: third, context: thirdContext } = await demo.visit();
  await typePassword(third, demo.server.origin, account);
  await third.getByRole("button", { name: "改用恢复码" }).click();
  await third.getByLabel("恢复码").fill(recoveryCode);
  await third.getByRole("button", { name: "验证", exact: true }).click();
  await third.waitForURL((url) => url.pathname === "/dashboard");
  expect(complaints).toEqual([]);
  for (const each of [context, otherContext, thirdContext]) await each.close();
});

test("passkey: added on localhost, proves the sign-in without a code", async () => {
  const { context, page, complaints } = await demo.visit();
  const origin = demo.server.origin.replace("127.0.0.1", "localhost");
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const account = demo.server.account(3, 0);
  await typePassword(page, origin, account);
  await page.waitForURL((url) => url.pathname === "/dashboard");
  await page.goto(`${origin}/settings/index`);
  await page.getByRole("button", { name: "新增", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "新增通行密钥" });
  await dialog.getByLabel("名称").fill("办公室电脑");
  await dialog.getByRole("button", { name: "继续" }).click();
  await keepRecoveryCodes(page);
  await page.getByText("办公室电脑").waitFor();

  await page.evaluate(() => localStorage.clear());
  await typePassword(page, origin, account);
  await page.getByRole("button", { name: "使用通行密钥" }).click();
  await page.waitForURL((url) => url.pathname === "/dashboard");
  await page.goto(`${origin}/settings/index`);
  await page.getByText(/^最近使用/).waitFor();

  // Elsewhere the passkey is of no use, and the page does not offer it.
  const { page: other, context: otherContext } = await demo.visit();
  await typePassword(other, demo.server.origin, account);
  await other.getByRole("heading", { name: "两步验证" }).waitFor();
  expect(await other.getByRole("button", { name: "使用通行密钥" }).count()).toBe(0);

  await page.getByRole("button", { name: "删除通行密钥 办公室电脑" }).click();
  await page
    .getByRole("dialog", { name: "删除通行密钥" })
    .getByRole("button", { name: "删除" })
    .click();
  await page.getByText("通行密钥“办公室电脑”已删除").waitFor();
  await page.getByText("未开启").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
  await otherContext.close();
});

test("sensitive action: asks again after 15 minutes, and goes on with what was typed", async () => {
  const { context, page, complaints } = await demo.visit();
  const account = demo.server.account(2, 1);
  await signIn(page, account, "/set/role?view=edit");
  await page.getByLabel("角色名称").fill("夜班");
  await page.getByLabel("全部门店").check();
  await demo.run("update session set proven_at = proven_at - interval '16 minutes'");
  await page.getByRole("button", { name: "新增", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "验证身份" });
  await dialog.getByLabel("登录密码").fill("not the password");
  await dialog.getByRole("button", { name: "验证", exact: true }).click();
  await dialog.getByText("验证没有通过").waitFor();
  await dialog.getByRole("button", { name: "取消" }).click();
  await expect.poll(() => page.getByLabel("角色名称").inputValue()).toBe("夜班");
  await page.getByRole("button", { name: "新增", exact: true }).click();
  await dialog.getByLabel("登录密码").fill(account.password);
  await dialog.getByRole("button", { name: "验证", exact: true }).click();
  await page.getByText("角色“夜班”已新增").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("role that demands it: members set it up at the next sign-in", async () => {
  const { context, page, complaints } = await demo.visit();
  await demo.run("update role set needs_second_factor = true where tenant_id = 3");
  await typePassword(page, demo.server.origin, demo.server.account(3, 2));
  await setUpFactor(page);
  await page.waitForURL((url) => url.pathname === "/dashboard");
  expect(complaints).toEqual([]);
  await context.close();
});
