// A real Chromium, and pages that complain: script errors and policy violations fail the test.
import { accessContract } from "@cabinet/contract/access/access.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import type { Account, Server } from "./server.ts";

/** For each step; on a busy machine all of them take long, and none of them is measured here. */
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
    // A status that the test provokes is logged by Chromium itself and is no error of ours.
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) {
      complaints.push(text);
    }
  });
  return { context, page, complaints };
}

/** Chooses from the open menu, by the keyboard: on a busy machine a pointer misses what still moves. */
export function chooseItem(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole("menuitem", { name, exact: true }).press("Enter");
}

/** Signs in by hand, as a person does: with a session of their own. */
export async function signInByHand(page: Page, account: Credentials): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("账号", { exact: true }).fill(account.username);
  await page.getByLabel("密码", { exact: true }).fill(account.password);
  await page.getByRole("button", { name: "登录" }).click();
  await page.waitForURL((url) => url.pathname === "/dashboard");
}

type Credentials = Pick<Account, "username" | "password">;

/** What the console keeps of those who signed in by hand, of each browser. */
const sessionsByBrowser = new WeakMap<object, Map<string, string>>();
const KEY = "cupboard:auth";

/** At home: by hand the first time in a file, then with the same session for as long as it stands. */
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
  // A page of the same origin in which nothing runs.
  await page.goto("/version.json");
  await page.evaluate(([key = "", value = ""]) => localStorage.setItem(key, value), [KEY, session]);
  await page.goto("/dashboard");
}

async function isSessionValid(page: Page, session: string): Promise<boolean> {
  const { token, tenantId } = JSON.parse(session);
  const headers = { "auth-token": token, tenantId: String(tenantId) };
  return (await page.request.get(urlPath(accessContract.menu), { headers })).ok();
}

/** The notice that an operator (userType 1) is shown when there is a newer version of it. */
export async function closeVersionNotice(page: Page): Promise<void> {
  const notice = page.getByRole("dialog", { name: "存取柜通知！" });
  await notice.getByRole("button", { name: "关闭" }).click();
  await notice.waitFor({ state: "hidden" });
}

/** Goes there as a link inside the console does, without loading it anew. */
export const go = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const isElsewhere = location.pathname + location.search !== ${JSON.stringify(path)};
    for (const part of document.querySelectorAll("main > *")) {
      if (isElsewhere) part.dataset.left = part.matches("h1") ? part.textContent : "";
    }
    history.pushState(null, "", ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent("popstate"));
  })()`);

/** The page before is gone, or has become the next one and has its title. */
const ARRIVED = `!document.querySelector(".page-progress")
  && (!document.querySelector("main > [data-left]:not(h1)")
    || [...document.querySelectorAll("main > h1")].some((h1) => h1.dataset.left !== h1.textContent))`;

const LOADED = `document.querySelector("main")?.textContent.trim().length > 5
  && ${ARRIVED}
  && !document.querySelector("main :is([aria-busy=true], .page-skeleton, .ant-spin-spinning)")`;

/** Nothing is on its way any more: neither the page itself nor a list or a figure of it. */
export async function untilLoaded(page: Page, path: string): Promise<void> {
  const options = { message: `${path} is loaded`, timeout: 20_000 };
  await expect.poll(() => page.evaluate(LOADED), options).toBe(true);
}
