// 租户其他配置 and 个人设置: saved values take effect at once in every browser concerned.
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { closeVersionNotice, signInByHand, untilPreferencesSaved } from "./support/browser.ts";
import { useDemo } from "./support/test-server.ts";

const testServer = useDemo();

async function signedIn(userType: 0 | 1 | 2, password?: string) {
  const visited = await testServer.visit();
  const account = testServer.server.account(2, userType);
  await signInByHand(visited.page, { ...account, ...(password && { password }) });
  if (userType === 1) await closeVersionNotice(visited.page);
  return visited;
}

const drawer = (page: Page) => page.getByRole("dialog", { name: /^租户其他配置/ });
const save = (page: Page) =>
  drawer(page).getByRole("button", { name: "保存", exact: true }).click();

/** The setting as stored in this browser's user state. */
const isHint = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage["cupboard:user-state"]).state.isHint as boolean);

async function openForm(page: Page) {
  await page.goto("/set/otherConfig");
  await page.getByRole("button", { name: "修改", exact: true }).click();
  await drawer(page).getByLabel("客服电话").waitFor();
}

test("tenant settings: validated, saved as a whole, applied in other browsers at once", async () => {
  const { context, page, complaints } = await signedIn(1);
  const other = await signedIn(0);
  await openForm(other.page);
  expect(await isHint(other.page)).toBe(true);

  await openForm(page);
  // The page is higher than the window: the card grows with it.
  const overhang = await page
    .locator(".ui-card-full")
    .evaluate((card) => card.scrollHeight - card.clientHeight);
  expect(overhang).toBe(0);
  const form = drawer(page);
  await expect.poll(() => form.getByLabel("短信签名").inputValue()).toBe("禾木智存");
  await form.getByLabel("客服电话").fill("打给我");
  await save(page);
  await form.getByText("客服电话的格式不正确").waitFor();
  await form.getByLabel("客服电话").fill("400-100-2000");
  await form.getByLabel("高德地图 Key").fill("0123456789abcdef0123456789abcdef");
  await save(page);
  await form.getByRole("alert").filter({ hasText: "一并填写它的安全密钥" }).waitFor();
  await expect.poll(() => form.getByLabel("客服电话").inputValue()).toBe("400-100-2000");
  await form.getByLabel("高德地图 Key").fill("");
  const logo = await sharp({
    create: { width: 96, height: 96, channels: 3, background: "#c2410c" },
  })
    .png()
    .toBuffer();
  await form
    .locator("input[type=file]")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
  await form.getByRole("img", { name: "Logo" }).waitFor();
  await form.getByRole("switch", { name: "设备异常提醒" }).click();
  await save(page);
  await page.getByText("租户其他配置已保存，立即生效").waitFor();
  await page.getByText("400-100-2000").waitFor();

  const ownLogo = other.page.locator(".sidebar-own-logo[src^='blob:']");
  await ownLogo.waitFor();
  await expect.poll(() => isHint(other.page)).toBe(false);

  await drawer(other.page).getByLabel("短信签名").fill("禾木快柜");
  await save(other.page);
  const outdated = drawer(other.page)
    .getByRole("alert")
    .filter({ hasText: "已在您打开页面之后修改过" });
  await outdated.waitFor();
  await expect.poll(() => drawer(other.page).getByLabel("短信签名").inputValue()).toBe("禾木快柜");

  await page.getByRole("button", { name: "设置计费规则" }).click();
  const pricing = page.getByRole("dialog", { name: /^租户计费规则/ });
  await pricing.getByLabel("免费时长").fill("45");
  await pricing.getByRole("button", { name: "保存" }).click();
  await page.getByText(/^前 45 分钟免费/).waitFor();

  await page.getByRole("button", { name: "修改", exact: true }).click();
  await drawer(page).getByRole("button", { name: "移除" }).click();
  await save(page);
  await page.getByText("未上传，菜单上方显示系统 Logo").waitFor();
  await ownLogo.waitFor({ state: "detached" });
  expect([...complaints, ...other.complaints]).toEqual([]);
  await Promise.all([context.close(), other.context.close()]);
});

const theme = (page: Page) => page.locator("html").getAttribute("data-theme");
const signal = (page: Page) => page.getByRole("columnheader", { name: "信号" });

async function hideSignal(page: Page) {
  await page.getByRole("button", { name: "列设置" }).click();
  await page.getByRole("checkbox", { name: "信号" }).click();
  await page.keyboard.press("Escape");
}

/** Holds the next save of preferences from when it is sent until it is released: changes meet a save under way. */
function holdSave(page: Page): Promise<() => Promise<void>> {
  const pattern = `**${urlPath(accountContract.savePreference)}`;
  return new Promise((resolve) => {
    let isHeld = false;
    void page.route(pattern, (route) => {
      if (isHeld || route.request().method() === "GET") return route.continue();
      isHeld = true;
      resolve(() => route.continue());
    });
  });
}

test("preferences: columns and theme follow the account to another browser, also set offline", async () => {
  const here = await signedIn(2);
  await here.page.goto("/cupboard/index");
  await signal(here.page).waitFor();
  await here.context.setOffline(true);
  await hideSignal(here.page);
  await signal(here.page).waitFor({ state: "detached" });
  await here.page.getByRole("button", { name: "切换到深色" }).click();
  // Longer than the 800 ms debounce of preferences, so that the save fails offline.
  await here.page.waitForTimeout(1_500);
  await here.context.setOffline(false);
  await untilPreferencesSaved(here.page);

  const there = await signedIn(2);
  await there.page.goto("/cupboard/index");
  await there.page.getByRole("columnheader", { name: "门店" }).waitFor();
  await signal(there.page).waitFor({ state: "detached" });
  await expect.poll(() => theme(there.page)).toBe("dark");

  await there.page.goto("/settings/index");
  await there.page.getByText("已自定义 1 个列表的列").waitFor();
  const saving = holdSave(there.page);
  await there.page.getByRole("button", { name: "浅色", exact: true }).click();
  const release = await saving;
  await there.page.getByRole("button", { name: "全部恢复默认" }).click();
  await there.page.getByRole("dialog").getByRole("button", { name: "恢复默认" }).click();
  await there.page.getByText(/^均为默认；/).waitFor();
  await release();
  await untilPreferencesSaved(there.page);

  await here.page.reload();
  await signal(here.page).waitFor();
  await expect.poll(() => theme(here.page)).toBe("light");
  expect(there.complaints).toEqual([]);
  await Promise.all([here.context.close(), there.context.close()]);
});

test("account: name and password change; a new password ends all other sessions", async () => {
  const { password } = testServer.server.account(2, 1);
  const newPassword = "Quiet-Harbour-42";
  const other = await signedIn(1);
  const { context, page, complaints } = await signedIn(1);
  await page.goto("/settings/index");
  await page.getByText("当前登录").waitFor();
  await page.getByRole("button", { name: "退出其他登录" }).waitFor();

  await page.getByRole("button", { name: "修改资料" }).click();
  const profile = page.getByRole("dialog", { name: "修改资料" });
  await profile.getByLabel("姓名").fill("李伟（晚班）");
  await profile.getByLabel("手机号").fill("12345");
  await profile.getByRole("button", { name: "保存" }).click();
  await profile.getByText("手机号应为 11 位手机号，如 13812345678").waitFor();
  await profile.getByLabel("手机号").fill("13700001234");
  await profile.getByRole("button", { name: "保存" }).click();
  await page.getByText("137****1234").waitFor();

  await page.getByRole("button", { name: "修改密码" }).click();
  const form = page.getByRole("dialog", { name: "修改密码" });
  const fill = async (old: string, first: string, second: string) => {
    await form.getByLabel("原密码", { exact: true }).fill(old);
    await form.getByLabel("新密码", { exact: true }).fill(first);
    await form.getByLabel("再次输入新密码").fill(second);
    await form.getByRole("button", { name: "修改密码" }).click();
  };
  await fill(password, "short", "short");
  await form.getByText(/新密码(须满足|至少)/).waitFor();
  await fill(password, newPassword, `${newPassword}!`);
  await form.getByText("两次输入的新密码不一致").waitFor();
  await fill("wrong-password-1", newPassword, newPassword);
  await form.getByText("原密码不正确").waitFor();
  await fill(password, newPassword, newPassword);
  await page.getByText("密码已修改，您在其他地方的登录已退出").waitFor();
  await other.page.waitForURL((url) => url.pathname === "/login");

  await page.getByRole("link", { name: "首页" }).first().click();
  await page.getByText("设备总数").first().waitFor();
  await page.reload();
  await page.getByText("设备总数").first().waitFor();
  const again = await signedIn(1, newPassword);
  expect([...complaints, ...again.complaints]).toEqual([]);
  await Promise.all([context.close(), other.context.close(), again.context.close()]);
});
