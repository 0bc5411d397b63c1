// One page load with an empty cache at a chosen CPU speed, with its transfers and paint times.
import path from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";

const probe = path.join(import.meta.dirname, "page-probe.js");

const CLICK_TIMEOUT_MS = 15_000;

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

export interface Visit {
  page: Page;
  /** Ms from the navigation until a match of `first` was painted. */
  firstMs: number;
  /** Wall-clock time of that paint. */
  firstAt: number;
  transfers(): Promise<Transfer[]>;
  /** Ms from a click on `target` until a match of `result` was painted; `at`: its wall-clock time. */
  click(target: string, result: string): Promise<{ ms: number; at: number }>;
  close(): Promise<void>;
}

export async function openVisit(
  browser: Browser,
  options: { url: string; first: string; slowdown: number },
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "zh-CN",
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const transfers = await watchTransfers(cdp);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: options.slowdown });
  await page.addInitScript({ path: probe });
  const painted = (selector: string) => `bench.painted(${JSON.stringify(selector)})`;
  await page.addInitScript(`bench.first = ${painted(options.first)}`);
  await page.goto(options.url, { waitUntil: "commit" });
  const firstAt = await page.evaluate<number>("bench.first");
  const openedAt = await page.evaluate<number>("performance.timeOrigin");
  return {
    page,
    firstMs: firstAt - openedAt,
    firstAt,
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
    close: () => context.close(),
  };
}
