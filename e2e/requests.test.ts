// Requests of pages: few files, no call twice, rows before the page is drawn.

import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import { smsCreditContract } from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import { packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { homeScreenContract } from "@cabinet/contract/operations/statistics/home-screen.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { go, signIn, signInByHand } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

const tableOf = (page: Page, name: string) => page.getByRole("table", { name, exact: true });
const firstRow = (page: Page, name: string) =>
  tableOf(page, name).locator("tbody tr:not(.ui-table-place)").first();

async function bytesOf(request: Request): Promise<number> {
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  return responseBodySize + responseHeadersSize;
}

/** A browser that saves data loads nothing ahead. */
const saveData = (page: Page) =>
  page.addInitScript(
    "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
  );

/** A channel that never answers: a change at a cabinet would request figures and rows again, rightly. */
const silenceLive = (page: Page) => page.route(`**${LIVE_PATH}`, () => {});

test("home: at most 32 requests and 300 kB from the sign-in page on, nothing twice", async () => {
  const { context, page, complaints } = await demo.firstVisit();
  await saveData(page);
  await silenceLive(page);
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await signInByHand(page, demo.server.account(2, 0));
  await page.locator(".dashboard:not(:has([aria-busy=true], .dashboard-none))").waitFor();
  // The chart follows when the page is idle; Chromium shows the icon anew after each navigation.
  const ofHome = requests.filter(
    (request) => !/chart-engine|trend-engine|favicon/.test(request.url()),
  );
  const calls = ofHome.map(
    (request) => `${request.method()} ${request.url()} ${request.postData()}`,
  );
  expect(calls.filter((each, index) => calls.indexOf(each) !== index)).toEqual([]);
  const tokens = await Promise.all(ofHome.map((request) => request.headerValue("auth-token")));
  const token = tokens.find((each) => each !== null) ?? "no token was sent";
  expect(calls.filter((each) => each.includes(token))).toEqual([]);
  expect(tokens).toContain(token);
  expect(ofHome.length).toBeLessThanOrEqual(32);
  const done = ofHome.filter((request) => !request.url().endsWith(LIVE_PATH));
  const sizes = await Promise.all(done.map(bytesOf));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
  expect(complaints).toEqual([]);
  await context.close();
});

/** Records each URL that the page moves to, and whether the shell has its page with figures when it is first drawn. */
const RECORD_FIRST_DRAWING = `(() => {
  window.moves = [];
  const move = history.replaceState;
  history.replaceState = (state, title, url) => {
    move.call(history, state, title, url);
    if (location.pathname !== moves.at(-1)) moves.push(location.pathname);
  };
  new MutationObserver(() => {
    const shell = document.querySelector(".layout");
    if (shell) window.isPageFirst ??= shell.querySelector(".dashboard:not(:has([aria-busy=true]))") !== null;
  }).observe(document, { childList: true, subtree: true });
})()`;

test("sign-in: home is compiled ahead, reached without a redirect and drawn with shell and figures", async () => {
  const { context, page } = await demo.firstVisit();
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await silenceLive(page);
  const home = page.waitForResponse((response) => /assets\/home-.*js$/.test(response.url()));
  // Home's file does not wait for the app's.
  await page.route(/assets\/app-.*\.js$/, async (route) => {
    await home;
    await route.continue();
  });
  await page.goto("/login");
  expect(await (await home).text()).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
  await page.evaluate(RECORD_FIRST_DRAWING);
  const { username, password } = demo.server.account(2, 0);
  await page.getByLabel("账号", { exact: true }).fill(username);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await page.getByRole("button", { name: "登录" }).click();
  await page.locator(".dashboard").waitFor();
  expect(await page.evaluate("moves")).toEqual(["/dashboard"]);
  expect(await page.evaluate("isPageFirst")).toBe(true);
  for (const spec of [accessContract.menu, homeScreenContract.read]) {
    expect(paths).not.toContain(urlPath(spec));
  }
  await context.close();
});

test("reload of home: its requests do not wait for the app's file, and figures are drawn with the shell", async () => {
  const { context, page } = await demo.firstVisit();
  await silenceLive(page);
  await signIn(page, demo.server.account(2, 0));
  const isOf = (spec: EndpointSpec) => (request: Request) =>
    new URL(request.url()).pathname === urlPath(spec);
  const specs = [accessContract.menu, homeScreenContract.read];
  const answered = Promise.all(
    specs.map((spec) => page.waitForResponse((response) => isOf(spec)(response.request()))),
  );
  await page.route(/assets\/app-.*\.js$/, async (route) => {
    await answered;
    await route.continue();
  });
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await page.addInitScript(RECORD_FIRST_DRAWING);
  await page.goto("/");
  await page.locator(".dashboard").waitFor();
  expect(await page.evaluate("isPageFirst")).toBe(true);
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  for (const spec of specs) expect(requests.filter(isOf(spec))).toHaveLength(1);
  await context.close();
});

test("reload of home: the shell does not wait for slow figures", async () => {
  const { context, page } = await demo.firstVisit();
  await signIn(page, demo.server.account(2, 0));
  const { promise: drawn, resolve: release } = Promise.withResolvers<void>();
  const requests: Request[] = [];
  await page.route(`**${urlPath(homeScreenContract.read)}?*`, async (route) => {
    requests.push(route.request());
    await drawn;
    await route.continue();
  });
  await page.goto("/dashboard");
  await page.locator(".dashboard [aria-busy=true]").first().waitFor();
  release();
  await page.locator(".dashboard:not(:has([aria-busy=true], .dashboard-none))").waitFor();
  expect(requests).toHaveLength(1);
  await context.close();
});

test("sign-in on the way to a list: home's figures are not requested", async () => {
  const { context, page } = await demo.firstVisit();
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  const { username, password } = demo.server.account(2, 0);
  await page.goto("/cupboard/index");
  await page.getByLabel("账号", { exact: true }).fill(username);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await page.getByRole("button", { name: "登录" }).click();
  await firstRow(page, "设备列表").waitFor();
  expect(paths).not.toContain(urlPath(homeScreenContract.read));
  await context.close();
});

test("reload: menu and buttons come from the stored menu, before the server answers", async () => {
  const { context, page } = await demo.firstVisit();
  await signIn(page, demo.server.account(2, 0), "/cupboard/index");
  await firstRow(page, "设备列表").waitFor();
  await page.route(`**${urlPath(accessContract.menu)}`, () => {});
  await page.reload();
  await firstRow(page, "设备列表").getByRole("link", { name: "编辑" }).waitFor();
  await context.close();
});

test("first list: its files have at most 200 kB, and no form, calendar or select of antd", async () => {
  const { context, page } = await demo.firstVisit();
  await saveData(page);
  await signIn(page, demo.server.account(2, 0));
  await page.locator(".dashboard:not(:has([aria-busy=true], .dashboard-none))").waitFor();
  const files: Request[] = [];
  // Home's chart follows when the page is idle.
  page.on(
    "request",
    (request) => /assets\/(?!chart-engine|trend-engine)/.test(request.url()) && files.push(request),
  );
  await go(page, "/cupboard/index");
  await firstRow(page, "设备列表").waitFor();
  const sizes = await Promise.all(files.map(bytesOf));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  const names = files.map((file) => new URL(file.url()).pathname);
  expect(names.filter((name) => /\/(overlays|dates|select)-/.test(name))).toEqual([]);
  await context.close();
});

/** Records each call from now on, and whether the table was drawn when it was sent. */
const recordCalls = (page: Page, name: string) =>
  page.evaluate(`(() => {
    const send = window.fetch;
    window.calls = [];
    window.fetch = (url, ...rest) => {
      const isDrawn = document.querySelector('main table[aria-label="${name}"]') !== null;
      calls.push({ url: String(url), isDrawn });
      return send(url, ...rest);
    };
  })()`);

interface Call {
  url: string;
  isDrawn: boolean;
}

test.for([
  ["/cupboard/index?page=1&pageSize=20&side=SINGLE", "设备列表", cabinetContract.list],
  ["/userApplet/rider/order?state=STORED", "订单列表", orderContract.list],
  ["/userApplet/pay/topUp", "用户钱包", walletContract.list],
] as [path: string, title: string, spec: EndpointSpec][])(
  "%s: the rows are requested once, before the page is drawn",
  async ([path, title, spec]) => {
    const { context, page } = await demo.firstVisit();
    await silenceLive(page);
    await signIn(page, demo.server.account(2, 0));
    await recordCalls(page, title);
    await go(page, path);
    await tableOf(page, title).locator("xpath=self::*[@aria-busy='false']").waitFor();
    const calls = await page.evaluate<Call[]>("calls");
    const ofList = calls.filter(({ url }) => url.split("?")[0] === urlPath(spec));
    expect(ofList.map(({ isDrawn }) => isDrawn)).toEqual([false]);
    await context.close();
  },
);

test("/userApplet/rider/order: the rows are requested while the page's files load", async () => {
  const { context, page } = await demo.firstVisit();
  await silenceLive(page);
  await signIn(page, demo.server.account(2, 0));
  const rows = page.waitForRequest((request) =>
    request.url().includes(urlPath(orderContract.list)),
  );
  await page.route("**/assets/order-list.page-*.js", async (route) => {
    await rows;
    await route.continue();
  });
  await recordCalls(page, "订单列表");
  await go(page, "/userApplet/rider/order");
  await firstRow(page, "订单列表").waitFor();
  const calls = await page.evaluate<Call[]>("calls");
  const ofList = calls.filter(({ url }) => url.split("?")[0] === urlPath(orderContract.list));
  expect(ofList.map(({ isDrawn }) => isDrawn)).toEqual([false]);
  await context.close();
});

test("sums: requested once and after the rows, over all pages; not by maintenance staff", async () => {
  const { context, page } = await demo.firstVisit();
  await silenceLive(page);
  await signIn(page, demo.server.account(2, 1));
  await recordCalls(page, "订单列表");
  await go(page, "/userApplet/rider/order?pageSize=10");
  const sums = tableOf(page, "订单列表").locator("tfoot");
  await sums.getByText(/合计 [\d,]+ 条/).waitFor();
  await sums.getByText(/¥/).first().waitFor();
  const digits = (text: string | null) => text?.replace(/\D/g, "");
  const total = await page.getByText(/^共 \d+ 条$/).textContent();
  const counted = await sums.getByText(/合计/).textContent();
  expect(digits(counted)).toBe(digits(total));
  const calls = await page.evaluate<Call[]>("calls");
  const ofSums = calls.filter(({ url }) => url.split("?")[0] === urlPath(orderContract.sums));
  expect(ofSums.map(({ isDrawn }) => isDrawn)).toEqual([true]);
  await context.close();

  const other = await demo.firstVisit();
  await signIn(other.page, demo.server.account(2, 2), "/userApplet/rider/order");
  await firstRow(other.page, "订单列表").waitFor();
  expect(await tableOf(other.page, "订单列表").locator("tfoot").count()).toBe(0);
  await other.context.close();
});

test.for([
  ["/smsManage/index", "充值明细", smsCreditContract.recordSums],
  ["/cupboardRun/pay/payList?view=cards", "套餐购买记录", packageContract.cardSums],
  [
    "/cupboardRun/pay/payRecord?view=reconciliation",
    "对账差异",
    reconciliationContract.differenceSums,
  ],
] as [path: string, title: string, spec: EndpointSpec][])(
  "sums: below the list at %s, also at the second attempt",
  async ([path, title, spec]) => {
    const { context, page, complaints } = await demo.firstVisit();
    const isSums = (url: URL) => url.pathname === urlPath(spec);
    await page.route(isSums, (route) => route.fulfill({ status: 503, json: {} }));
    await signIn(page, demo.server.account(2, 1), path);
    const sums = tableOf(page, title).locator("tfoot");
    await sums.getByText("合计加载失败").waitFor();
    await page.unroute(isSums);
    await sums.getByRole("button", { name: "重试" }).click();
    await sums.getByText(/合计 [\d,]+ 条/).waitFor();
    await sums.getByText(/¥/).first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  },
);

test("link: pressing it requests the rows before it is clicked; going back draws them once", async () => {
  const { context, page } = await demo.firstVisit();
  await signIn(page, demo.server.account(2, 0));
  const link = page.locator('.dashboard a[href="/cupboard/index"]').first();
  await link.hover();
  const requested = page.waitForRequest((request) =>
    request.url().includes(`${urlPath(cabinetContract.list)}?page=1&pageSize=10`),
  );
  await page.mouse.down();
  await requested;
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  await page.mouse.up();
  await firstRow(page, "设备列表").waitFor();

  await page.evaluate("history.back()");
  await link.waitFor();
  await page.evaluate(`(() => {
    window.redrawn = 0;
    new MutationObserver((changes) => {
      redrawn += changes.filter(({ target }) => target.matches("col")).length;
    }).observe(document, { subtree: true, attributeFilter: ["style"] });
  })()`);
  await page.evaluate("history.forward()");
  await firstRow(page, "设备列表").waitFor();
  expect(await page.evaluate("redrawn")).toBe(0);
  await context.close();
});

/** The console waits 400 ms for rows and then draws their list without them. Here it waits 30 s, as a busy machine needs longer. */
const STRETCH_PATIENCE = `(() => {
  const set = window.setTimeout;
  window.setTimeout = (run, ms, ...rest) => {
    if (ms === 400) window.isPatient = true;
    return set(run, ms === 400 ? 30_000 : ms, ...rest);
  };
})()`;

test("list: rows that come soon are drawn with their page, not after it", async () => {
  const { context, page } = await demo.firstVisit();
  await page.addInitScript(STRETCH_PATIENCE);
  await page.route(
    (url) => url.pathname === urlPath(cabinetContract.list),
    async (route) => {
      const reply = await route.fetch();
      await page.waitForTimeout(150);
      await route.fulfill({ response: reply });
    },
  );
  await signIn(page, demo.server.account(2, 0));
  const link = page.locator('.dashboard a[href="/cupboard/index"]').first();
  await link.waitFor();
  const isThere =
    'performance.getEntriesByType("resource").some(({ name }) => name.includes("/cabinet-list.page-"))';
  await expect.poll(() => page.evaluate(isThere)).toBe(true);
  await page.evaluate(`(() => {
    window.places = 0;
    new MutationObserver(() => {
      places += document.querySelectorAll(".ui-table-place").length;
    }).observe(document, { subtree: true, childList: true });
  })()`);
  await link.click();
  await firstRow(page, "设备列表").waitFor();
  expect(await page.evaluate("places")).toBe(0);
  expect(await page.evaluate("isPatient")).toBe(true);
  await context.close();
});

/** Names of the script files that the page requests from now on, without their hashes. */
function recordScripts(page: Page): string[] {
  const names: string[] = [];
  page.on("request", (request) => {
    const [, name] = /\/assets\/([^/]+)-[\w-]{8}\.js$/.exec(request.url()) ?? [];
    if (name) names.push(name);
  });
  return names;
}

test("first list after home: its columns have their widths when they are first drawn", async () => {
  const { context, page } = await demo.firstVisit();
  await signIn(page, demo.server.account(2, 0));
  await page.locator('.dashboard a[href="/cupboard/index"]').waitFor();
  await page.evaluate(`(() => {
    window.changes = [];
    new MutationObserver((records) => {
      for (const { target } of records) if (target.tagName === "COL") changes.push(target.outerHTML);
    }).observe(document, { attributeFilter: ["style"], subtree: true });
  })()`);
  await page.locator('.dashboard a[href="/cupboard/index"]').click();
  await firstRow(page, "设备列表").waitFor();
  expect(await page.evaluate("changes")).toEqual([]);
  await context.close();
});

test("home: the list's files are loaded before those of the chart and of dialogs", async () => {
  const { context, page } = await demo.firstVisit();
  const scripts = recordScripts(page);
  await signIn(page, demo.server.account(2, 0));
  await expect.poll(() => scripts).toContain("chart-engine");
  await expect.poll(() => scripts).toContain("overlays");
  const order = ["cabinet-list.page", "chart-engine", "overlays"].map((it) => scripts.indexOf(it));
  expect(order[0]).toBeGreaterThanOrEqual(0);
  expect(order[0]).toBeLessThan(order[1] ?? 0);
  expect(order[0]).toBeLessThan(order[2] ?? 0);
  await context.close();
});

test("设备列表: drawn without the files of antd's inputs, selects and dialogs", async () => {
  const { context, page } = await demo.firstVisit();
  await saveData(page);
  const scripts = recordScripts(page);
  await signIn(page, demo.server.account(2, 0), "/cupboard/index");
  await firstRow(page, "设备列表").waitFor();
  expect(scripts).toContain("cabinet-list.page");
  expect(scripts.filter((name) => /^(overlays|select|dates|chart-engine)$/.test(name))).toEqual([]);
  const sizes = await page.evaluate<number[]>(
    'performance.getEntriesByType("resource").filter(({ name }) => /\\/(list|cabinet-list.page)-[^/]+\\.js$/.test(name)).map(({ decodedBodySize }) => decodedBodySize)',
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  await context.close();
});

test("saved data: nothing is loaded ahead for a browser that saves data", async () => {
  const { context, page } = await demo.firstVisit();
  await saveData(page);
  const files: string[] = [];
  page.on("request", (request) => files.push(new URL(request.url()).pathname));
  await page.goto("/login");
  await page.locator('[data-state="passed"]').waitFor();
  await page.evaluate("new Promise((resolve) => requestIdleCallback(resolve))");
  expect(files.filter((file) => /\/(app|home)-/.test(file))).toEqual([]);
  await context.close();
});
