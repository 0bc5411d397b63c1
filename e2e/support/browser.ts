// Chromium pages whose script errors and policy violations are collected as complaints.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import type { Account, Server } from "./server.ts";

/** Generous, because every step is slow on a busy machine and no test here measures time. */
const STEP_TIMEOUT_MS = 30_000;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Script errors, failed policies and unexpected console errors so far. */
  complaints: string[];
}

export async function visit(
  browser: Browser,
  server: Server,
  viewport = { width: 1440, height: 900 },
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: server.origin,
    viewport,
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
  });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    // Chromium itself logs failed statuses, which tests provoke; they are not console errors.
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) {
      complaints.push(text);
    }
  });
  return { context, page, complaints };
}

/** Chooses from the open menu by keyboard: on a busy machine a click misses an item that moves. */
export function chooseItem(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole("menuitem", { name, exact: true }).press("Enter");
}

/** Signs in through the form, which creates a new session. */
export async function signInByHand(page: Page, account: Credentials): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("账号", { exact: true }).fill(account.username);
  await page.getByLabel("密码", { exact: true }).fill(account.password);
  await page.getByRole("button", { name: "登录" }).click();
  await page.waitForURL((url) => url.pathname === "/dashboard");
}

type Credentials = Pick<Account, "username" | "password">;

/** Stored sessions of accounts that signed in by hand, per browser. */
const sessionsByBrowser = new WeakMap<object, Map<string, string>>();
const KEY = "cupboard:auth";

/** Opens the home page: signs in by hand first, then reuses that session while it is valid. */
export async function signIn(page: Page, account: Credentials): Promise<void> {
  const browser = page.context().browser() as Browser;
  const sessions = sessionsByBrowser.get(browser) ?? new Map<string, string>();
  sessionsByBrowser.set(browser, sessions);
  const accountKey = `${account.username} ${account.password}`;
  const session = sessions.get(accountKey);
  if (!session || !(await isSessionValid(page, session))) {
    await signInByHand(page, account);
    sessions.set(accountKey, (await page.evaluate(`localStorage.getItem("${KEY}")`)) as string);
    return;
  }
  // A URL of the same origin that runs no script.
  await page.goto("/version.json");
  await page.evaluate(([key = "", value = ""]) => localStorage.setItem(key, value), [KEY, session]);
  await page.goto("/dashboard");
}

async function isSessionValid(page: Page, session: string): Promise<boolean> {
  const { token, tenantId } = JSON.parse(session);
  const headers = { "auth-token": token, tenantId: String(tenantId) };
  return (await page.request.get(urlPath(accessContract.menu), { headers })).ok();
}

/** Closes the version notice, which an operator (userType 1) sees when there is a newer one. */
export async function closeVersionNotice(page: Page): Promise<void> {
  const notice = page.getByRole("dialog", { name: "存取柜通知！" });
  await notice.getByRole("button", { name: "关闭" }).click();
  await notice.waitFor({ state: "hidden" });
}

/** Navigates like a link inside the console, without a page load. */
export const go = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const isElsewhere = location.pathname + location.search !== ${JSON.stringify(path)};
    for (const part of document.querySelectorAll("main > *")) {
      if (isElsewhere) part.dataset.left = part.matches("h1") ? part.textContent : "";
    }
    history.pushState(null, "", ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent("popstate"));
  })()`);

/** True once the previous page is unmounted, or reused with the title of the next. */
const ARRIVED = `!document.querySelector(".page-progress")
  && (!document.querySelector("main > [data-left]:not(h1)")
    || [...document.querySelectorAll("main > h1")].some((h1) => h1.dataset.left !== h1.textContent))`;

const LOADED = `document.querySelector("main")?.textContent.trim().length > 5
  && ${ARRIVED}
  && !document.querySelector("main :is([aria-busy=true], .page-skeleton, .ant-spin-spinning)")`;

/** Waits until the page and all its lists and figures are loaded. */
export async function untilLoaded(page: Page, path: string): Promise<void> {
  const options = { message: `${path} is loaded`, timeout: 20_000 };
  await expect.poll(() => page.evaluate(LOADED), options).toBe(true);
}
