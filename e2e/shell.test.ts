// The shell around every page: sidebar, navbar, notices and prompts (specification §2, §4, §9).

import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import {
  closeVersionNotice,
  signIn,
  signInByHand,
  storeSession,
  untilPreferencesSaved,
} from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const demo = useSharedDemo();

/** Signed in as an operator of tenant 2, before the first page. */
async function arriving(viewport = DESKTOP) {
  const visited = await demo.visit(viewport);
  await storeSession(visited.page, demo.server.account(2, 1));
  return visited;
}

async function atHome(viewport = DESKTOP) {
  const visited = await arriving(viewport);
  await visited.page.goto("/dashboard");
  return visited;
}

const menuOf = (page: Page) => page.getByRole("navigation", { name: "主菜单" });
const noticeOf = (page: Page) => page.getByRole("dialog", { name: "存取柜通知！" });
const toastOf = (page: Page, text: string) => page.getByRole("status").getByText(text);
const addressOf = (spec: EndpointSpec) => (url: URL) => url.pathname === urlPath(spec);
const isOf = (spec: EndpointSpec) => (reply: { url(): string }) =>
  addressOf(spec)(new URL(reply.url()));
const sizeOf = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, width: 0, height: 0 };
const isFocused = (part: Locator) => part.evaluate((node) => node.matches(":focus"));

test("§2 Sidebar: 13.125rem, collapsed 3.375rem, kept in the cookie sidebarStatus as the dark theme is; one submenu open; navbar 3.75rem", async () => {
  const { context, page, complaints } = await atHome();
  const sidebar = page.locator(".sidebar");
  const kept = async () =>
    (await context.cookies()).find(({ name }) => name === "sidebarStatus")?.value;
  const width = async () => (await sizeOf(sidebar)).width;
  await expect.poll(width).toBe(210);
  expect((await sizeOf(page.getByRole("banner"))).height).toBe(60);

  await page.getByRole("button", { name: "收起菜单" }).click();
  await expect.poll(width).toBe(54);
  expect(await kept()).toBe("0");
  const theme = () => page.locator("html").getAttribute("data-theme");
  expect(await theme()).toBe("light");
  await page.getByRole("button", { name: "切换到深色" }).click();
  expect(await theme()).toBe("dark");
  await page.reload();
  await page.getByRole("button", { name: "切换到浅色" }).click();
  expect(await theme()).toBe("light");
  await untilPreferencesSaved(page);
  expect(await width()).toBe(54);
  await page.getByRole("button", { name: "展开菜单" }).click();
  await expect.poll(width).toBe(210);
  expect(await kept()).toBe("1");

  const menu = menuOf(page);
  for (const name of ["设备管理", "单面设备运营", "双面设备运营"]) {
    await menu.getByRole("button", { name }).click();
    const open = menu.locator("button[aria-expanded=true]");
    await expect.poll(() => open.allTextContents()).toEqual([name]);
  }
  await menu.getByRole("button", { name: "设备管理" }).click();
  await menu.getByRole("link", { name: "设备列表" }).click();
  await page.waitForURL("**/cupboard/index");
  await page.getByRole("link", { name: "智能存取系统，回到首页" }).click();
  await page.waitForURL("**/dashboard");
  expect(complaints).toEqual([]);
  await context.close();
});

test("§2 Sidebar: an open submenu stays open when the server's menu arrives", async () => {
  const { context, page, complaints } = await arriving();
  const held = Promise.withResolvers<void>();
  await page.route(addressOf(accessContract.menu), async (route) => {
    await held.promise;
    const reply = await route.fetch();
    const text = (await reply.text()).replaceAll("双面设备运营", "双面柜运营");
    await route.fulfill({ response: reply, body: text });
  });
  await page.goto("/dashboard");
  const submenu = menuOf(page).getByRole("button", { name: "设备管理" });
  await submenu.click();
  held.resolve();
  await menuOf(page).getByRole("button", { name: "双面柜运营" }).waitFor();
  await expect.poll(() => submenu.getAttribute("aria-expanded")).toBe("true");
  expect(complaints).toEqual([]);
  await context.close();
});

test("§2 Sidebar: 故障处理 shows the number of new malfunctions, and nothing for zero", async () => {
  const { context, page, complaints } = await demo.visit();
  const counted = page.waitForResponse(isOf(malfunctionContract.size));
  // 首页 has the number among its figures.
  await signIn(page, demo.server.account(2, 1), "/cupboard/index");
  const reply = await counted;
  expect(new URL(reply.url()).searchParams.get("status")).toBe("CREATED");
  // §7: headers of every request with a session.
  const { tenantId } = demo.server.account(2, 1);
  expect(reply.request().headers()).toMatchObject({
    "auth-id": "cupboard",
    "auth-token": expect.stringMatching(/^\S{20,}$/),
    tenantid: String(tenantId),
  });
  const { data: count } = await reply.json();
  const entry = menuOf(page).getByRole("link", { name: /故障处理/ });
  const text = (open: number) => (open === 0 ? "故障处理" : `故障处理${open} 个待处理`);
  const shown = async () => (await entry.textContent())?.trim();
  await expect.poll(shown).toBe(text(count));

  for (const open of [7, 0]) {
    await page.route(addressOf(malfunctionContract.size), (route) =>
      route.fulfill({ json: { code: 0, data: open, errMsg: "" } }),
    );
    await page.reload();
    await expect.poll(shown).toBe(text(open));
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test("§2 Mobile: under 992 px the sidebar is a drawer, closed by its backdrop and by each navigation", async () => {
  const { context, page, complaints } = await atHome(PHONE);
  const sidebar = page.locator(".sidebar");
  const isOpen = async () => {
    return (await sizeOf(sidebar)).x === 0;
  };
  const open = async () => {
    await page.getByRole("button", { name: "展开菜单" }).click();
    await expect.poll(isOpen).toBe(true);
  };
  expect(await isOpen()).toBe(false);
  await open();
  await page.mouse.click(PHONE.width - 20, PHONE.height / 2);
  await expect.poll(isOpen).toBe(false);
  await open();
  await menuOf(page).getByRole("button", { name: "设备管理" }).click();
  // By keyboard: on a busy machine a click misses an element that still moves.
  await menuOf(page).getByRole("link", { name: "门店列表" }).press("Enter");
  await page.waitForURL("**/point/index");
  await expect.poll(isOpen).toBe(false);

  // Links to the current page: from another view of it, and from the page itself.
  await page.goto("/cupboard/index?view=rollouts");
  await open();
  await menuOf(page).getByRole("link", { name: "设备列表" }).click();
  await page.waitForURL((url) => url.pathname === "/cupboard/index" && url.search === "");
  await expect.poll(isOpen).toBe(false);
  await open();
  await menuOf(page).getByRole("link", { name: "设备列表" }).click();
  await expect.poll(isOpen).toBe(false);

  await page.setViewportSize({ width: 992, height: 844 });
  await expect.poll(isOpen).toBe(true);
  await page.setViewportSize({ width: 991, height: 844 });
  await expect.poll(isOpen).toBe(false);
  await page.getByRole("button", { name: "展开菜单" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("navbar on a phone: shows long titles whole; the theme is switched in the drawer", async () => {
  const { context, page, complaints } = await arriving(PHONE);
  await page.goto("/set/maintenance?view=notices");
  const title = page.getByRole("navigation", { name: "面包屑" }).getByText("维护消息发送记录");
  await title.waitFor();
  expect(await title.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(
    0,
  );
  await page.getByRole("button", { name: "展开菜单" }).click();
  await page.getByRole("button", { name: "切换到深色" }).press("Enter");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  await page.getByRole("button", { name: "切换到浅色" }).press("Enter");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("light");
  await untilPreferencesSaved(page);
  expect(complaints).toEqual([]);
  await context.close();
});

test("§2 §4 Version notice: closed only by its button, shown again when it changes or the bell is pressed", async () => {
  const { context, page, complaints } = await demo.visit();
  await signInByHand(page, demo.server.account(2, 1));
  const notice = noticeOf(page);
  await notice.getByText("版本：").waitFor();
  expect((await sizeOf(notice)).width).toBe(700);
  await page.keyboard.press("Escape");
  await page.mouse.click(10, 450);
  await expect.poll(() => notice.isVisible()).toBe(true);
  await closeVersionNotice(page);

  const { data } = await callApiAs(page, announcementContract.latest, {});
  if (!data) throw new Error("the demo has a published version notice");
  await Promise.all([page.waitForResponse(isOf(announcementContract.latest)), page.reload()]);
  await page.waitForTimeout(500);
  expect(await notice.count()).toBe(0);
  for (const change of [{ version: "9.9.9" }, { updateTime: new Date().toISOString() }]) {
    Object.assign(data, change);
    await page.route(addressOf(announcementContract.latest), (route) =>
      route.fulfill({ json: { code: 0, data, errMsg: "" } }),
    );
    await page.reload();
    await notice.getByText(`版本：${data.version}`).waitFor();
    await closeVersionNotice(page);
  }
  await page.getByRole("button", { name: "版本通知" }).click();
  await closeVersionNotice(page);
  expect(complaints).toEqual([]);
  await context.close();
});

test("§2 Version notice: the bell reports a failed load and retries", async () => {
  const { context, page, complaints } = await arriving();
  const failed = async () => {
    const dialog = page.getByRole("dialog", { name: "版本通知加载失败" });
    await dialog.waitFor();
    return dialog;
  };
  await page.route(addressOf(announcementContract.latest), (route) =>
    route.fulfill({ status: 500, json: { code: 1, data: null, errMsg: "" } }),
  );
  await page.goto("/dashboard");
  const bell = page.getByRole("button", { name: "版本通知" });
  await bell.click();
  await (await failed()).getByRole("button", { name: "关闭", exact: true }).last().click();
  await bell.click();
  const again = page.waitForResponse(isOf(announcementContract.latest));
  await (await failed()).getByRole("button", { name: "重试" }).click();
  expect((await again).status()).toBe(500);
  await failed();
  await page.unrouteAll();
  await (await failed()).getByRole("button", { name: "重试" }).click();
  await noticeOf(page).getByText("版本：").waitFor();
  expect(await toastOf(page, "暂无版本通知").count()).toBe(0);
  await closeVersionNotice(page);

  await page.route(addressOf(announcementContract.latest), (route) =>
    route.fulfill({ json: { code: 0, data: null, errMsg: "" } }),
  );
  await page.reload();
  await bell.click();
  await toastOf(page, "暂无版本通知").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("§8 Version notice: its failure is silent", async () => {
  const { context, page, complaints } = await demo.visit();
  await page.route(addressOf(announcementContract.latest), (route) =>
    route.fulfill({ status: 500, json: { code: 1, data: null, errMsg: "" } }),
  );
  // The shell has sent its requests.
  const asked = page.waitForResponse(isOf(tenantSettingContract.shell));
  await signIn(page, demo.server.account(2, 1));
  await asked;
  await page.waitForTimeout(500);
  expect(await noticeOf(page).count()).toBe(0);
  expect(await toastOf(page, "系统异常").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("§4 §9 Version prompt: polled every 8 s; 稍后 is quiet for 3 minutes, 立即刷新 reloads", async () => {
  const { context, page, complaints } = await demo.visit();
  await page.clock.install();
  await signIn(page, demo.server.account(2, 1));
  const prompt = page.getByRole("dialog", { name: "发现新版本" });
  const isPoll = (message: { url(): string }) => message.url().includes("/version.json?t=");
  const polled = (ms: number) =>
    Promise.all([page.waitForResponse(isPoll), page.clock.fastForward(ms)]);
  await polled(8_000);
  await page.route("**/version.json?t=*", (route) => route.fulfill({ json: { version: "next" } }));
  await polled(8_000);
  await prompt.getByRole("button", { name: "稍后" }).click();
  await prompt.waitFor({ state: "hidden" });

  // Each poll is sent only after the previous reply was handled, so a prompt would show by then.
  for (const ms of [8_000, 8_000, 60_000, 8_000]) {
    await polled(ms);
    expect(await prompt.count()).toBe(0);
  }
  await polled(100_000);
  await prompt.waitFor();
  const reloaded = page.waitForEvent("load");
  const again = page.waitForResponse(isPoll);
  await prompt.getByRole("button", { name: "立即刷新" }).click();
  await Promise.all([reloaded, again]);
  expect(await prompt.count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("§4 Version prompt: the sign-in page checks too, and the app goes on with the same check", async () => {
  const { context, page, complaints } = await demo.visit();
  await page.goto("/login");
  await page.getByText("人机验证已通过").waitFor();
  await page.route("**/version.json?t=*", (route) => route.fulfill({ json: { version: "next" } }));
  const prompt = page.getByRole("dialog", { name: "发现新版本" });
  await prompt.waitFor();
  await prompt.getByRole("button", { name: "稍后" }).click();
  await prompt.waitFor({ state: "hidden" });

  const { username, password } = demo.server.account(2, 1);
  await page.getByLabel("账号", { exact: true }).fill(username);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await page.getByRole("button", { name: "登录" }).click();
  await closeVersionNotice(page);
  // Three minutes after 稍后, the app prompts for the version that the sign-in page saw.
  await page.evaluate(`localStorage.setItem("cupboard:version-postponed-at", "1")`);
  await prompt.waitFor();
  await prompt.getByRole("button", { name: "稍后" }).click();
  expect(complaints).toEqual([]);
  await context.close();
});

test("links: followed in the page with one history entry each; with Control in a tab of its own", async () => {
  const { context, page, complaints } = await atHome();
  const link = menuOf(page).getByRole("link", { name: "首页", exact: true });
  const countOf = () => page.evaluate<number>("history.length");
  await page.evaluate("isSamePage = true");
  const entries = await countOf();
  await link.click();
  expect(await countOf()).toBe(entries);
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    link.click({ modifiers: ["Control"] }),
  ]);
  await tab.waitForURL("**/dashboard");
  await menuOf(page)
    .getByRole("link", { name: /^故障处理/ })
    .click();
  await page.waitForURL("**/malfunction/index?state=OPEN");
  expect(await countOf()).toBe(entries + 1);
  expect(await page.evaluate("isSamePage")).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test("§2 Breadcrumb: starts with home; groups and the current page are not links", async () => {
  const { context, page, complaints } = await arriving();
  await page.goto("/cupboardRun/pay/payList");
  const breadcrumb = page.getByRole("navigation", { name: "面包屑" });
  const crumbs = breadcrumb.getByRole("listitem");
  await expect
    .poll(() => crumbs.allTextContents())
    .toEqual(["首页", "单面设备运营", "账户管理", "套餐管理"]);
  await expect.poll(() => crumbs.last().getAttribute("aria-current")).toBe("page");
  await expect.poll(() => breadcrumb.getByRole("link").allTextContents()).toEqual(["首页"]);
  await breadcrumb.getByRole("link", { name: "首页" }).click();
  await page.waitForURL("**/dashboard");
  expect(complaints).toEqual([]);
  await context.close();
});

test("fonts: the style names the font of Chinese text, so that no run of characters needs a search", async () => {
  const { context, page } = await atHome();
  await page.locator(".sidebar a").first().waitFor();
  const cdp = await context.newCDPSession(page);
  await cdp.send("DOM.enable");
  await cdp.send("CSS.enable");
  const { root } = await cdp.send("DOM.getDocument");
  const selector = '.sidebar a[href="/dashboard"]';
  const { nodeId } = await cdp.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await cdp.send("CSS.getPlatformFontsForNode", { nodeId });
  // Names in the stack; and those behind our font face if the browser has loaded it, which it does at the first use.
  const named = await page.evaluate<string>(`[
    getComputedStyle(document.body).fontFamily.replace('"Linux Hans"', ""),
    ...[...document.fonts].filter(({ status }) => status === "loaded").map(() => "WenQuanYi Zen Hei, WenQuanYi Micro Hei"),
  ].join()`);
  expect(fonts).toHaveLength(1);
  expect(named).toContain(fonts[0]?.familyName);
  await context.close();
});

test("§2 Keyboard: skip link, and sign-out by the user menu", async () => {
  const { context, page, complaints } = await atHome();
  const user = page.getByRole("button", { name: /用户菜单/ });
  await user.waitFor();
  await page.keyboard.press("Tab");
  expect(await isFocused(page.getByRole("link", { name: "跳到正文" }))).toBe(true);
  await page.keyboard.press("Enter");
  await expect.poll(() => isFocused(page.getByRole("main"))).toBe(true);

  await user.focus();
  await page.keyboard.press("Enter");
  const leave = page.getByRole("menuitem", { name: "退出登录" });
  await expect.poll(() => isFocused(leave)).toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(() => isFocused(user)).toBe(true);
  expect(await leave.count()).toBe(0);
  await page.keyboard.press("Enter");
  await expect.poll(() => isFocused(leave)).toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/login");
  expect(complaints).toEqual([]);
  await context.close();
});
