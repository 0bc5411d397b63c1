// Hands the page of a finished visit to the next one: a new page compiles the console anew, 1.5 CPU seconds.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

export interface ContextWithPage {
  context: BrowserContext;
  page: Page;
}

type Options = BrowserContextOptions & { baseURL: string };

/** Each renderer keeps some hundred megabytes. */
const MOST_IDLE = 3;

/** Calls of a context, its page and its clock that change them for good: they are closed after the visit. */
const LASTING = [
  "addInitScript",
  "exposeBinding",
  "exposeFunction",
  "grantPermissions",
  "install",
  "newCDPSession",
  "pauseAt",
  "setExtraHTTPHeaders",
  "setFixedTime",
  "setGeolocation",
  "setOffline",
  "setSystemTime",
];

/** Events to which tests and visits listen. */
const EVENTS = ["console", "dialog", "download", "load", "page", "pageerror", "popup"];
const NETWORK_EVENTS = ["request", "requestfailed", "requestfinished", "response", "websocket"];

interface Idle extends ContextWithPage {
  key: string;
  close(): Promise<void>;
}

const idle = new WeakMap<Browser, Idle[]>();

/** A page as in a new context, but with files in its cache. `context.close()` leaves it to the next visit. */
export async function takePage(browser: Browser, options: Options): Promise<ContextWithPage> {
  const pages = idle.get(browser) ?? [];
  idle.set(browser, pages);
  const key = `${options.baseURL} ${options.timezoneId}`;
  const found = pages.findLastIndex((each) => each.key === key);
  const [used] = found === -1 ? [] : pages.splice(found, 1);
  if (!used) return openPage(browser, options, key, pages);
  if (options.viewport) await used.page.setViewportSize(options.viewport);
  return used;
}

async function openPage(
  browser: Browser,
  options: Options,
  key: string,
  pages: Idle[],
): Promise<ContextWithPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const close = context.close.bind(context);
  const used: Idle = { key, context, page, close };
  const clear = await clearing(used, options);
  let isLasting = false;
  const note = () => {
    isLasting = true;
  };
  for (const owner of [context, page, context.clock]) noteCalls(owner, note);
  context.close = async () => {
    if (pages.includes(used)) return;
    const isClear = !isLasting && (await clear().catch(() => false));
    if (!isClear) return close();
    pages.push(used);
    if (pages.length > MOST_IDLE) await pages.shift()?.close();
  };
  return used;
}

function noteCalls(owner: object, note: () => void): void {
  for (const name of LASTING) {
    const call: unknown = Reflect.get(owner, name);
    if (typeof call !== "function") continue;
    Reflect.set(owner, name, (...args: unknown[]) => {
      note();
      return call.apply(owner, args);
    });
  }
}

/** Makes the function that leaves an empty document of the same origin, which keeps the renderer; false if it cannot. */
async function clearing(
  { context, page }: ContextWithPage,
  { baseURL }: Options,
): Promise<() => Promise<boolean>> {
  const session = await context.newCDPSession(page);
  return async () => {
    // A service worker would answer the next page.
    if (context.serviceWorkers().length > 0) return false;
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const event of [...EVENTS, ...NETWORK_EVENTS]) {
      page.removeAllListeners(event);
      context.removeAllListeners(event);
    }
    await context.unrouteAll({ behavior: "ignoreErrors" });
    await page.unrouteAll({ behavior: "ignoreErrors" });
    // Unsaved input asks before the page is left.
    page.on("dialog", (dialog) => dialog.accept());
    await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await page.goto(baseURL);
    page.removeAllListeners("dialog");
    await page.evaluate("sessionStorage.clear()");
    const { origin } = new URL(baseURL);
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await context.clearCookies();
    await session.send("Page.resetNavigationHistory");
    await page.unrouteAll();
    await page.mouse.move(0, 0);
    await page.emulateMedia({ colorScheme: "light", media: null });
    return true;
  };
}
