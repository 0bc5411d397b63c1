// One page load with an empty cache at a chosen CPU speed, with its transfers and paint times.
import path from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";

const probe = path.join(import.meta.dirname, "page-probe.js");

const CLICK_TIMEOUT_MS = 15_000;
const PAINT_TIMEOUT_MS = 60_000;

export interface Transfer {
  url: string;
  /** Wall-clock time in ms. */
  startedAt: number;
  /** Bytes on the wire, headers included. */
  bytes: number;
}

/** Records every request of the page with its bytes on the wire. */
async function watchTransfers(cdp: CDPSession): Promise<Map<string, Transfer>> {
  const transfers = new Map<string, Transfer>();
  const set = (id: string, change: (transfer: Transfer) => void) => {
    const transfer = transfers.get(id);
    if (transfer) change(transfer);
  };
  cdp.on("Network.requestWillBeSent", ({ requestId, request, wallTime }) => {
    transfers.set(requestId, { url: request.url, startedAt: wallTime * 1_000, bytes: 0 });
  });
  cdp.on("Network.responseReceived", ({ requestId, response }) => {
    set(requestId, (transfer) => {
      transfer.bytes += response.encodedDataLength;
    });
  });
  cdp.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    set(requestId, (transfer) => {
      transfer.bytes += encodedDataLength;
    });
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    set(requestId, (transfer) => {
      transfer.bytes = encodedDataLength;
    });
  });
  await cdp.send("Network.enable");
  return transfers;
}

/** Fast 4G as the browser's own tools define it. */
const FAST_4G = {
  offline: false,
  downloadThroughput: (9_000_000 / 8) * 0.9,
  uploadThroughput: (1_500_000 / 8) * 0.9,
  latency: 165,
};

/** `slowdown`: factor by which the processor is slowed down. */
export interface Speed {
  slowdown: number;
  is4g?: true;
}

/** `ms` from the start until a match was painted; `at`: wall-clock time of that paint. */
export interface Painted {
  ms: number;
  at: number;
}

/** Unrest of one page since it was opened. */
export interface Unrest {
  /** Cumulative layout shift. */
  shift: number;
  longestTaskMs: number;
}

export interface Visit {
  page: Page;
  /** Loads a URL until a match of `result` was painted. */
  open(url: string, result: string): Promise<Painted>;
  transfers(): Promise<Transfer[]>;
  /** Clicks on `target` and waits until a match of `result` was painted. */
  click(target: string, result: string): Promise<Painted>;
  unrest(): Promise<Unrest>;
  close(): Promise<void>;
}

/** A browser with an empty cache. */
export async function openVisit(browser: Browser, { slowdown, is4g }: Speed): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "zh-CN",
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const transfers = await watchTransfers(cdp);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  if (is4g) await cdp.send("Network.emulateNetworkConditions", FAST_4G);
  await page.addInitScript({ path: probe });
  const painted = (selector: string) =>
    `bench.painted(${JSON.stringify(selector)}, ${PAINT_TIMEOUT_MS})`;
  return {
    page,
    async open(url, result) {
      // Replaces what earlier calls waited for.
      await page.addInitScript(`bench.first = ${painted(result)}`);
      await page.goto(url, { waitUntil: "commit" });
      const at = await page.evaluate<number>("bench.first");
      const openedAt = await page.evaluate<number>("performance.timeOrigin");
      return { ms: at - openedAt, at };
    },
    async transfers() {
      const sizes = await page.evaluate<Record<string, number>>("bench.sizes()");
      // CDP attributes a worker's script to the worker; take its size from resource timing.
      return [...transfers.values()].map((transfer) =>
        transfer.bytes > 0 ? transfer : { ...transfer, bytes: sizes[transfer.url] ?? 0 },
      );
    },
    async click(target, result) {
      const [at] = await Promise.all([
        page.evaluate<number>(painted(result)),
        page.locator(target).click({ timeout: CLICK_TIMEOUT_MS }),
      ]);
      const clickedAt = await page.evaluate<number>("bench.clickedAt");
      return { ms: at - clickedAt, at };
    },
    unrest: () => page.evaluate<Unrest>("bench.unrest"),
    close: () => context.close(),
  };
}
