// Runs an export in Chromium like a user: its duration, main-thread blocking and tab memory.
import { readFile } from "node:fs/promises";
import type { SignedIn } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { readXlsx } from "hucre/xlsx";
import type { Browser } from "playwright-core";
import { type Usage, usageOf } from "./process-usage.ts";

const EXPORT_MS = 300_000;

export interface ExportVisit {
  rows: number;
  seconds: number;
  /** Longest task on the main thread. */
  blockedMs: number;
  /** Memory of the tab's process, workers included: before the export; `peakMb` is the maximum. */
  idleMb: number;
  peakMb: number;
  fileMb: number;
}

/** Exports the list at `path`. */
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

/** Picks the largest renderer: it draws the page, the others are spare renderers. */
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
