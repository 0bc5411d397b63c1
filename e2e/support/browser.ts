// Chromium pages whose script errors and policy violations are collected as complaints.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { authContract, type SignedIn } from "@cabinet/contract/identity/auth/auth.contract.ts";
import {
  type EndpointSpec,
  isReading,
  type Reply,
  urlPath,
} from "@cabinet/contract/kit/endpoint.ts";
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from "playwright-core";
import { expect } from "vitest";
import { solvedCaptcha } from "../../apps/simulator/src/people/captcha.ts";
import type { Account, Server } from "./server.ts";
import { takePage } from "./used-pages.ts";

/** Generous, because every step is slow on a busy machine and no test here measures time. */
const STEP_TIMEOUT_MS = 60_000;

export function openBrowser(args: readonly string[] = []): Promise<Browser> {
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
      ...args,
    ],
  });
}

/** One browser for all test files of a worker; it ends with the worker. */
let workerBrowser: Promise<Browser> | undefined;

export function sharedBrowser(): Promise<Browser> {
  workerBrowser ??= openBrowser();
  return workerBrowser;
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Script errors, failed policies and unexpected console errors so far. */
  complaints: string[];
}

interface VisitOptions {
  viewport?: { width: number; height: number };
  timezoneId?: string;
  /** The browser was never here: its cache is empty. */
  isFirst?: boolean;
}

export async function visit(
  browser: Browser,
  server: Pick<Server, "origin">,
  {
    viewport = { width: 1440, height: 900 },
    timezoneId = "Asia/Shanghai",
    isFirst = false,
  }: VisitOptions = {},
): Promise<Visit> {
  const options = {
    baseURL: server.origin,
    // A server with HTTPS has a certificate that no browser knows.
    ignoreHTTPSErrors: server.origin.startsWith("https:"),
    viewport,
    locale: "zh-CN",
    timezoneId,
    // A click on a button that still moves is lost on a busy machine.
    reducedMotion: "reduce",
  } as const;
  const { context, page } = isFirst
    ? await openPage(browser, options)
    : await takePage(browser, options);
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`script: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    // Chromium itself logs failed statuses, which tests provoke; they are not console errors.
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) {
      complaints.push(text);
    }
  });
  calls.set(page, recordCalls(page));
  return { context, page, complaints };
}

async function openPage(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext(options);
  return { context, page: await context.newPage() };
}

const MOST_CALLS = 20;

/** The last calls of each page and how they ended. */
const calls = new WeakMap<Page, string[]>();

function recordCalls(page: Page): string[] {
  const lines: string[] = [];
  const record = (request: Request, how: string) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/api/")) return;
    lines.push(`${new Date().toISOString()} ${request.method()} ${pathname} ${how}`);
    if (lines.length > MOST_CALLS) lines.shift();
  };
  page.on("request", (request) => record(request, "sent"));
  page.on("response", (response) => record(response.request(), String(response.status())));
  page.on("requestfailed", (request) => record(request, request.failure()?.errorText ?? "failed"));
  return lines;
}

/** State of a page after a failed test: address, text and last calls. */
export async function describePage(page: Page): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: only what can be seen, without scripts.
  const text = page.locator("body").innerText({ timeout: 5_000 }).catch(String);
  return [page.url(), JSON.stringify(await text), ...(calls.get(page) ?? [])].join("\n  ");
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

const SESSION_KEY = "cupboard:auth";
const USER_STATE_KEY = "cupboard:user-state";

/** Contents of localStorage of each account that was signed in, by origin and account. */
const storages = new Map<string, { entries: Record<string, string>; signedInAt: number }>();

/** Below the ten minutes after which a grave act asks for the password again, with time for a slow file. */
const MOST_AGE_MS = 3 * 60_000;

/**
 * Opens `path` with a session of the account, which has seen the latest version notice. Signs in by
 * a call: the form is for `signInByHand`.
 */
export async function signIn(page: Page, account: Credentials, path = "/dashboard"): Promise<void> {
  await storeSession(page, account);
  await page.goto(path);
}

/** `signIn` for tests that open the first page themselves, or only call. */
export async function storeSession(page: Page, account: Credentials): Promise<void> {
  // A URL of the same origin that runs no script.
  await page.goto("/version.json");
  const accountKey = `${new URL(page.url()).origin} ${account.username} ${account.password}`;
  let storage = storages.get(accountKey);
  const isFresh = storage && Date.now() - storage.signedInAt < MOST_AGE_MS;
  if (!storage || !isFresh || !(await isSessionValid(page, storage.entries))) {
    storage = { signedInAt: Date.now(), entries: await createStorage(page, account) };
    storages.set(accountKey, storage);
  }
  await page.evaluate((entries) => Object.assign(localStorage, entries), storage.entries);
}

/** Makes what the console stores on a first visit; to load a page for it would cost a CPU second. */
async function createStorage(page: Page, account: Credentials): Promise<Record<string, string>> {
  const session: SignedIn = await callBeside(page, authContract.login, {
    form: { username: account.username, password: account.password },
    headers: await solvedCaptcha(new URL(page.url()).origin),
  });
  const { tenantId, username } = session;
  const headers = headersOf(session);
  const menu = await callBeside(page, accessContract.menu, { headers });
  const shell = await callBeside<object>(page, tenantSettingContract.shell, { headers });
  const notice = await callBeside<Notice>(page, announcementContract.latest, { headers });
  if (notice) {
    await callBeside(page, announcementContract.read, { headers, data: { ids: [notice.id] } });
  }
  const seen = { version: notice?.version ?? "", versionUpdateTime: notice?.updateTime ?? "" };
  const state = { owner: `${tenantId}:${username}`, menu, ...seen, faultCount: 0, ...shell };
  return {
    [SESSION_KEY]: JSON.stringify(session),
    [USER_STATE_KEY]: JSON.stringify({ state, version: 1 }),
  };
}

type Notice = Reply<typeof announcementContract.latest>;

const headersOf = ({ token, tenantId }: SignedIn) => ({
  "auth-token": token,
  tenantId: String(tenantId),
});

/** Calls with the browser's user agent. */
async function callBeside<Data>(
  page: Page,
  spec: EndpointSpec,
  options: {
    form?: Record<string, string>;
    data?: Record<string, unknown>;
    headers?: Record<string, string>;
  },
): Promise<Data> {
  const send = () => page.request.fetch(urlPath(spec), { method: spec.method, ...options });
  let reply = await send();
  // A server on a busy machine answers 服务繁忙: its clients read again.
  for (let repeats = 0; repeats < 3 && reply.status() === 503 && isReading(spec); repeats++) {
    reply = await send();
  }
  const { code, data, errMsg } = await reply.json();
  if (code !== 0) throw new Error(errMsg);
  return data;
}

async function isSessionValid(page: Page, storage: Record<string, string>): Promise<boolean> {
  const headers = headersOf(JSON.parse(storage[SESSION_KEY] as string));
  return (await page.request.get(urlPath(accessContract.menu), { headers })).ok();
}

/** Closes the version notice, which an operator (userType 1) sees when there is a newer one. */
export async function closeVersionNotice(page: Page): Promise<void> {
  const notice = page.getByRole("dialog", { name: "存取柜通知！" });
  await notice.getByRole("button", { name: "关闭" }).click();
  await notice.waitFor({ state: "hidden" });
}

/** Waits until the server has all preferences: what the next visitor of this account gets. */
export async function untilPreferencesSaved(page: Page): Promise<void> {
  const storage = () => page.evaluate("JSON.stringify(localStorage)");
  await expect.poll(storage).not.toContain("unsaved");
}

/** Script that runs before a page and sums its layout shifts up in `window.shifts`. */
export const RECORD_SHIFTS = `(() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifts += value;
  }).observe({ type: "layout-shift", buffered: true });
})()`;

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
  const message = `${path} is loaded`;
  await expect.poll(() => page.evaluate(LOADED), { message }).toBe(true);
}
