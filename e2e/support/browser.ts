// A real Chromium, and pages that complain: script errors and policy violations fail the test.
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import type { Account, Server } from "./server.ts";

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
  context.setDefaultTimeout(15_000);
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

/** Signs in by hand, as a person does. */
export async function signIn(page: Page, account: Pick<Account, "username" | "password">) {
  await page.goto("/login");
  await page.getByLabel("账号", { exact: true }).fill(account.username);
  await page.getByLabel("密码", { exact: true }).fill(account.password);
  await page.getByRole("button", { name: "登录" }).click();
  await page.waitForURL((url) => url.pathname === "/dashboard");
}

/** The notice that an operator (userType 1) is shown when there is a newer version of it. */
export async function closeVersionNotice(page: Page): Promise<void> {
  const notice = page.getByRole("dialog", { name: "存取柜通知！" });
  await notice.getByRole("button", { name: "关闭" }).click();
  await notice.waitFor({ state: "hidden" });
}

const LOADED = `document.querySelector("main")?.textContent.trim().length > 5
  && !document.querySelector("main :is([aria-busy=true], .page-skeleton, .ant-spin-spinning)")`;

/** Nothing is on its way any more: neither the page itself nor a list or a figure of it. */
export async function untilLoaded(page: Page, path: string): Promise<void> {
  const options = { message: `${path} is loaded`, timeout: 20_000 };
  await expect.poll(() => page.evaluate(LOADED), options).toBe(true);
}
