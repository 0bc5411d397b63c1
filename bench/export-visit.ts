// An export in Chromium as a person makes it: how long it takes, what the page and its tab suffer meanwhile.
import { readFile } from "node:fs/promises";
import type { SignedIn } from "@cabinet/contract/auth/auth.contract.ts";
import { readXlsx } from "hucre/xlsx";
import type { Browser } from "playwright-core";
import { type Usage, usageOf } from "./process-usage.ts";

const EXPORT_MS = 300_000;

export interface ExportVisit {
  rows: number;
  seconds: number;
  /** The longest that the page did not answer. */
  blockedMs: number;
  /** Of the tab's process, its workers included: before, and the most it was. */
  idleMb: number;
  peakMb: number;
  fileMb: number;
}

/** Exports what the list at `path` shows. */
export async function visitExport(
  browser: Browser,
  { origin, path, session }: { origin: string; path: string; session: SignedIn },
): Promise<ExportVisit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "zh-CN",
  });
  try {
    await context.addInitScript(
      `localStorage.setItem("cupboard:auth", ${JSON.stringify(JSON.stringify(session))});
       globalThis.longest = 0;
       new PerformanceObserver((list) => {
         for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
       }).observe({ type: "longtask" });`,
    );
    const page = await context.newPage();
    await page.goto(`${origin}${path}`);
    const button = page.getByRole("button", { name: "导出", exact: true });
    await button.and(page.locator(":enabled")).waitFor();
    await page.waitForTimeout(1_000);
    const idle = await largestTab(browser);
    await button.click();
    const question = page.getByRole("dialog").filter({ hasText: "是否确认导出" });
    await question.waitFor();
    await page.evaluate("globalThis.longest = 0");
    const startedAt = performance.now();
    const downloaded = page.waitForEvent("download", { timeout: EXPORT_MS });
    await question.getByRole("button", { name: "确定", exact: true }).click();
    const download = await downloaded;
    await page.getByText("导出成功").waitFor();
    const seconds = (performance.now() - startedAt) / 1_000;
    const blockedMs = await page.evaluate<number>("globalThis.longest");
    const { peakMb } = await largestTab(browser);
    const file = await readFile(await download.path());
    const [sheet] = (await readXlsx(file)).sheets;
    return {
      rows: (sheet?.rows.length ?? 0) - 1,
      seconds,
      blockedMs,
      idleMb: idle.rssMb,
      peakMb,
      fileMb: file.byteLength / 1024 / 1024,
    };
  } finally {
    await context.close();
  }
}

/** The process that draws the page is the largest of its kind; others wait for pages to come. */
async function largestTab(browser: Browser): Promise<Usage> {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  await cdp.detach();
  const tabs = await Promise.all(
    processInfo.filter(({ type }) => type === "renderer").map(({ id }) => usageOf(id)),
  );
  const [largest] = tabs.sort((one, other) => other.peakMb - one.peakMb);
  if (!largest) throw new Error("Chromium draws no page");
  return largest;
}
