// Benchmarks the console in Chromium with an empty cache against a lean React + antd page, both by HTTP/2.
import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import type { Browser } from "playwright-core";
import { openBrowser } from "../e2e/support/browser.ts";
import { type Account, startServer } from "../e2e/support/server.ts";
import type { BenchServer } from "./bench-server.ts";
import { type Figure, median } from "./figures.ts";
import { openLeanSite } from "./lean-site.ts";
import { measureScroll } from "./scroll-visit.ts";
import { openVisit, type Speed, type Transfer, type Unrest, type Visit } from "./visit.ts";

const ROUNDS = 5;
/** A server that has just started is 100 ms slower at its first sign-ins. */
const WARM_UPS = 4;
/** Goals of a quiet machine in ms; the others hold at any speed. */
const SPEEDS = [
  {
    speed: { slowdown: 1 },
    name: "正常速度",
    goals: { homeMs: 240, coldMs: 200, warmMs: 60, returnMs: 350 },
  },
  {
    speed: { slowdown: 4, is4g: true },
    name: "四分之一速度，4G",
    goals: { homeMs: 900, coldMs: 800, warmMs: 250, returnMs: 1_300 },
  },
] as const;
/** `toLean`: time of the console by that of the lean page in the same run. */
const GOALS = { signInKb: 100, homeKb: 300, requests: 25, toLean: 0.9, shift: 0.02, taskMs: 200 };
/** First company of the demo; its administrator gets no version notice that covers the page. */
const ACCOUNT = { tenantId: 2, userType: 0 } as const;
const IDLE_MS = 6_000;

const USABLE = 'form:has(input[autocomplete="username"]) button[type="submit"]';
const SOLVED = '[data-state="passed"]';

interface Site {
  /** URL of the sign-in page. */
  url: string;
  /** URL of the home. */
  homeUrl: string;
  /** Selector that matches once the home shows menu, figures and lists. */
  home: string;
  homeLink: string;
  listLink: string;
  /** Selector that matches once the list shows rows. */
  listRow: string;
}

const consoleParts = {
  home: '.layout:has(.sidebar a[href="/dashboard"]) .dashboard:not(:has([aria-busy="true"], .dashboard-none))',
  homeLink: '.sidebar a[href="/dashboard"]',
  listLink: '.dashboard a[href="/cupboard/index"]',
  listRow: ".ui-table tbody tr:not(.ui-table-place)",
};
const leanParts = {
  home: ".ant-layout:has(.ant-menu-item):has(.ant-statistic):not(:has(.ant-skeleton))",
  homeLink: '[data-to="home"]',
  listLink: '[data-to="list"]',
  listRow: ".ant-table tbody tr.ant-table-row",
};

interface Journey {
  signInMs: number;
  signInBytes: number;
  homeMs: number;
  homeBytes: number;
  /** Requests until the home was painted. */
  requests: number;
}

/** Opens the sign-in page, signs in as soon as the captcha is solved, and waits for the home. */
async function signIn(
  browser: Browser,
  site: Site,
  account: Account,
  speed: Speed,
): Promise<{ visit: Visit; journey: Journey }> {
  const visit = await openVisit(browser, speed);
  const first = await visit.open(site.url, USABLE);
  const { page } = visit;
  for (const [field, text] of [
    ["username", account.username],
    ["current-password", account.password],
  ] as const) {
    await page.locator(`input[autocomplete="${field}"]`).click();
    await page.keyboard.insertText(text);
  }
  await page.locator(SOLVED).waitFor();
  const home = await visit.click('button[type="submit"]', site.home);
  // Let running transfers finish: a request sent before the home was painted counts in full.
  await sleep(300);
  const transfers = await visit.transfers();
  const captcha = urlPath(authContract.captcha);
  return {
    visit,
    journey: {
      signInMs: first.ms,
      signInBytes: sumOf(
        transfers.filter(
          ({ url, startedAt }) =>
            startedAt <= first.at || url.endsWith(captcha) || url.includes("captcha.worker"),
        ),
      ),
      homeMs: home.ms,
      homeBytes: sumOf(transfers.filter(({ startedAt }) => startedAt <= home.at)),
      requests: transfers.filter(({ startedAt }) => startedAt <= home.at).length,
    },
  };
}

function sumOf(transfers: readonly Transfer[]): number {
  return transfers.reduce((sum, { bytes }) => sum + bytes, 0);
}

export async function benchConsole(
  benchServer: BenchServer,
  leanFolder: string,
): Promise<Figure[]> {
  const { server } = benchServer;
  const account = server.account(ACCOUNT.tenantId, ACCOUNT.userType);
  const front = await startServer({
    args: ["--services=api"],
    env: { DATABASE_URL: benchServer.databaseUrl },
    dataDir: server.dataDir,
    isSecure: true,
  });
  const tls = await readTls(server.dataDir);
  const lean = await openLeanSite(leanFolder, { api: server.origin, ...tls });
  const sites = {
    console: {
      url: `${front.origin}/login`,
      homeUrl: `${front.origin}/dashboard`,
      ...consoleParts,
    },
    lean: { url: `${lean.origin}/`, homeUrl: `${lean.origin}/`, ...leanParts },
  };
  // Chromium caches nothing of a site whose certificate it only ignores: it must trust this one.
  const browser = await openBrowser([`--ignore-certificate-errors-spki-list=${keyHash(tls.cert)}`]);
  try {
    const figures: Figure[] = [];
    for (const each of SPEEDS) {
      console.log(`${each.name}…`);
      figures.push(...(await measure(browser, sites, account, each)));
    }
    figures.push(...(await measurePages(browser, sites.console, server.account(1, 0))));
    figures.push(await measureIdle(browser, sites.console, account));
    const plain = { ...sites.console, url: `${server.origin}/login` };
    const { visit } = await signIn(browser, plain, account, { slowdown: 4 });
    figures.push(...(await measureScroll(visit, server.origin)));
    await visit.close();
    return figures;
  } finally {
    await browser.close();
    lean.close();
    await front.stop();
  }
}

async function readTls(folder: string): Promise<{ cert: string; key: string }> {
  const read = (name: string) => readFile(path.join(folder, name), "utf8");
  return { cert: await read("server.pem"), key: await read("server.key") };
}

/** SHA-256 of the certificate's public key, as browsers pin it. */
function keyHash(cert: string): string {
  const key = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}

/** One visit with an empty cache: sign-in, home, list, home, list, and the home loaded again. */
async function travel(
  browser: Browser,
  site: Site,
  account: Account,
  speed: Speed,
): Promise<Journey & { coldMs: number; warmMs: number; returnMs: number }> {
  const { visit, journey } = await signIn(browser, site, account, speed);
  const cold = await visit.click(site.listLink, site.listRow);
  await visit.click(site.homeLink, site.home);
  const warm = await visit.click(site.listLink, site.listRow);
  const again = await visit.open(site.homeUrl, site.home);
  await visit.close();
  return { ...journey, coldMs: cold.ms, warmMs: warm.ms, returnMs: again.ms };
}

async function measure(
  browser: Browser,
  sites: { console: Site; lean: Site },
  account: Account,
  { speed, name, goals }: (typeof SPEEDS)[number],
): Promise<Figure[]> {
  type Run = Awaited<ReturnType<typeof travel>>;
  const ours: Run[] = [];
  const theirs: Run[] = [];
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    const runs = [
      await travel(browser, sites.console, account, speed),
      await travel(browser, sites.lean, account, speed),
    ] as const;
    if (round < 0) continue;
    ours.push(runs[0]);
    theirs.push(runs[1]);
  }
  const part = `控制台，${name}，无缓存`;
  const of = (runs: Run[], pick: (run: Run) => number) => median(runs.map(pick));
  /** Time of the console, of the lean page, and their ratio. */
  const times = (label: string, pick: (run: Run) => number, atMost?: number): Figure[] => {
    const [own, lean] = [of(ours, pick), of(theirs, pick)];
    const goal = atMost === undefined ? {} : { goal: { atMost } };
    return [
      { part, name: label, value: own, unit: "毫秒", ...goal },
      { part, name: "  精简页", value: lean, unit: "毫秒" },
      {
        part,
        name: "  与精简页之比",
        value: own / lean,
        unit: "倍",
        goal: { atMost: GOALS.toLean },
      },
    ];
  };
  const kb = (label: string, bytes: number, atMost?: number): Figure => {
    const goal = atMost === undefined ? {} : { goal: { atMost } };
    return { part, name: label, value: bytes / 1_000, unit: "kB", ...goal };
  };
  return [
    kb(
      "登录页可用前传输",
      of(ours, (run) => run.signInBytes),
      GOALS.signInKb,
    ),
    ...times("登录页可用", (run) => run.signInMs),
    ...times("点击登录到首页", (run) => run.homeMs, goals.homeMs),
    {
      part,
      name: "登录到首页的请求",
      value: of(ours, (run) => run.requests),
      unit: "个",
      goal: { atMost: GOALS.requests },
    },
    kb(
      "登录到首页共传输",
      of(ours, (run) => run.homeBytes),
      GOALS.homeKb,
    ),
    kb(
      "  精简页共传输",
      of(theirs, (run) => run.homeBytes),
    ),
    ...times("首次打开设备列表", (run) => run.coldMs, goals.coldMs),
    ...times("再次打开设备列表", (run) => run.warmMs, goals.warmMs),
    ...times("刷新首页", (run) => run.returnMs, goals.returnMs),
  ];
}

const pathsOf = (entries: readonly RouteEntry[]): string[] =>
  entries.flatMap(({ path, children, views = [] }) =>
    children ? pathsOf(children) : [path, ...views.map(({ view }) => `${path}?view=${view}`)],
  );

/** Time for a page's rows, notices and shifts. */
const SETTLE_MS = 2_000;

interface OpenedPage extends Unrest {
  path: string;
  requests: number;
}

/** Every page by its own URL with a warm cache: requests, layout shift, longest task. */
async function measurePages(browser: Browser, site: Site, account: Account): Promise<Figure[]> {
  const { visit } = await signIn(browser, site, account, { slowdown: 1 });
  const pages: OpenedPage[] = [];
  for (const path of pathsOf(routeTable)) {
    const before = (await visit.transfers()).length;
    await visit.open(new URL(path, site.url).href, "h1");
    await sleep(SETTLE_MS);
    const requests = (await visit.transfers()).length - before;
    pages.push({ path, requests, ...(await visit.unrest()) });
  }
  await visit.close();
  const part = `控制台，${pages.length} 个页面各自打开`;
  const figures: (Pick<Figure, "name" | "unit" | "goal"> & { of: (page: OpenedPage) => number })[] =
    [
      { name: "请求", unit: "个", of: (page) => page.requests },
      { name: "布局偏移", unit: "", of: (page) => page.shift, goal: { atMost: GOALS.shift } },
      {
        name: "最长任务",
        unit: "毫秒",
        of: (page) => page.longestTaskMs,
        goal: { atMost: GOALS.taskMs },
      },
    ];
  return figures.flatMap(({ name, unit, of, ...goal }) => {
    const worst = pages.toSorted((one, other) => of(other) - of(one))[0];
    return [
      { part, name: `${name}，中位`, value: median(pages.map(of)), unit },
      { part, name: `${name}，最多：${worst?.path}`, value: worst ? of(worst) : 0, unit, ...goal },
    ];
  });
}

/** Bytes transferred after `IDLE_MS` on the home page, prefetches included. */
async function measureIdle(browser: Browser, site: Site, account: Account): Promise<Figure> {
  const { visit } = await signIn(browser, site, account, { slowdown: 1 });
  await sleep(IDLE_MS);
  const value = sumOf(await visit.transfers()) / 1_000;
  await visit.close();
  return { part: "控制台，空闲时预取之后", name: "登录到首页及其后预取", value, unit: "kB" };
}
