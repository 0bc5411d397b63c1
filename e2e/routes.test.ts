// Every route of the specification's table for each userType; sidebar and refusals also in the other tenant (§2, §6).
// Axe looks at each page once.

import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import type { RouteEntry, RouteView } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { findViolations } from "./support/axe.ts";
import { closeVersionNotice, go, signInByHand, untilLoaded } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

const flat = (entries: readonly RouteEntry[]): RouteEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children ?? [])]);
const everyRoute = flat(routeTable);

/** Paths of the specification's table, repeated here so that the route data cannot lose one. */
const specified = `/dashboard /largeScreen /cupboard/index /cupboard/ModelList /cupboard/blockManage
  /cupboard/cupboardEdit /cupboard/ModelAdd /cupboard/banner /cupboard/record /cupboard/log /point/index
  /point/pointEdit /cupboardRun/index /cupboardRun/rider/order /cupboardRun/template /cupboardRun/pay/mealAdd
  /cupboardRun/pay/payList /cupboardRun/pay/payRecord /cupboardRun/pay/topUp /userApplet/index
  /userApplet/rider/order /userApplet/template /userApplet/pay/mealAdd /userApplet/pay/payList
  /userApplet/pay/payRecord /userApplet/pay/topUp /smsManage/synopsis /smsManage/index /smsManage/send
  /malfunction/index /idConfig/wechat /idConfig/pay /user/normalUser /user/userAdmin /user/operationAdmin
  /register/deviceList /register/cabinetService /register/record /register/index /register/registerAdd
  /register/viewSms /set/role /set/power /set/maintenance /set/otherConfig /set/secretKey/cupboardKey
  /thirdPartApi/set /thirdPartApi/record /thirdPartApi/order /inform/index /inform/edit /faq/index /faq/faqEdit`.split(
  /\s+/,
);

test("§2 Route table: every path of the specification is there", () => {
  const paths = everyRoute.map((entry) => entry.path);
  expect(specified.filter((path) => !paths.includes(path))).toEqual([]);
});

test("pages: GET and HEAD return HTML; unknown files and calls return 404 JSON", async () => {
  const look = async (method: string, path: string, accept = "*/*") => {
    const reply = await fetch(demo.server.origin + path, { method, headers: { accept } });
    return `${reply.status} ${reply.headers.get("content-type")?.split(";")[0]}`;
  };
  for (const path of ["/login", "/doc/sre", "/doc/sdk", "/cupboard/index?page=2"]) {
    expect(await look("GET", path), path).toBe("200 text/html");
    expect(await look("HEAD", path), path).toBe("200 text/html");
  }
  expect(await look("GET", "/robots.txt")).toBe("200 text/plain");
  expect(await look("GET", "/favicon.ico")).toMatch(/^200 image\//);
  for (const [path, accept] of [
    ["/nothing.txt"],
    ["/assets/none.js", "text/html"],
    ["/api/nothing", "text/html"],
    ["/open/v1/nothing"],
    ["/login", "application/json"],
  ] as const) {
    expect(await look("GET", path, accept), path).toBe("404 application/json");
  }
});

/** URIs and permissions of all menu entries. */
function grantsIn(menu: MenuEntry[]): Set<string> {
  return new Set(
    menu.flatMap((entry) => [entry.uri, ...entry.permissions, ...grantsIn(entry.children)]),
  );
}

/** Paths that exist only in the platform's own tenant (specification §6). */
const isForTenantOne = (path: string) => path.includes("/register") || path.includes("/set/power");

/** Predicate of the pages and views that the account may open, from the server's grants only. */
function isOpenTo(userType: number, tenantId: number, menu: MenuEntry[]) {
  const granted = grantsIn(menu);
  return (page: RouteEntry, view?: RouteView): boolean => {
    if (userType === 0 && tenantId === 1) return true;
    const path = page.under ?? page.path;
    if (isForTenantOne(path) || !granted.has(path)) return false;
    return [page.access, view?.access].every((access) => !access || granted.has(access));
  };
}

/** Expected sidebar links, from the specification's rules and the server's grants only. */
function expectedMenu(userType: number, tenantId: number, menu: MenuEntry[]): string[] {
  const granted = grantsIn(menu);
  const shown = (entries: readonly RouteEntry[]): string[] =>
    entries.flatMap((entry) => {
      if (entry.hidden || entry.showMenu === -1) return [];
      if (userType !== 0 && !granted.has(entry.path)) return [];
      return entry.children ? shown(entry.children) : [entry.path];
    });
  return shown(routeTable).filter((path) => tenantId === 1 || !isForTenantOne(path));
}

/** Opens every submenu in turn, because only one is open at a time, and collects the links. */
async function sidebarLinks(page: Page): Promise<string[]> {
  const nav = page.getByRole("navigation", { name: "主菜单" });
  const found = new Set<string>();
  const opened = new Set<string>();
  for (;;) {
    for (const link of await nav.locator("a[href]").all()) {
      if (await link.isVisible()) found.add((await link.getAttribute("href")) ?? "");
    }
    const closed = nav.locator("button[aria-expanded=false]");
    const names = await closed.evaluateAll((nodes) =>
      nodes.map((node) => node.getAttribute("data-menu-path") ?? ""),
    );
    const next = names.find((name) => !opened.has(name));
    if (next === undefined) return [...found];
    opened.add(next);
    await nav.locator(`button[data-menu-path="${next}"]`).click();
  }
}

/** Title, address and breadcrumb of the page on screen. */
interface Shown {
  title: string;
  /** With its query if that is asked for: pages add to theirs. */
  address: string;
  isRefused: boolean;
  headings: string[];
  /** Links of the breadcrumb, home apart. */
  links: Record<string, string>;
  current: string;
}

/**
 * Goes to a page inside the console and reads it as soon as it has its title and address, at the latest after a minute.
 * Looks in every frame of the browser: polling from here costs more than most pages.
 */
async function arrive(page: Page, path: string, title: string, end = path): Promise<Shown> {
  await go(page, path);
  return page.evaluate<Shown>(`(async () => {
    const suffix = " - 智能存取系统";
    const texts = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent);
    const read = () => ({
      title: document.title.replace(suffix, ""),
      address: location.pathname + (${end.includes("?")} ? location.search : ""),
      isRefused: texts("h1, h2, h3, [role=heading]").some((text) => text.startsWith("没有权限访问")),
      headings: texts("h1"),
      links: Object.fromEntries([...document.querySelectorAll(".breadcrumb a:not([href='/dashboard'])")].map(
        (link) => [link.textContent, link.getAttribute("href")])),
      current: texts(".breadcrumb [aria-current=page]").join(),
    });
    const until = performance.now() + 60_000;
    for (;;) {
      const shown = read();
      // The breadcrumb of a view ends with it; hidden pages are not in theirs.
      const isThere = !document.querySelector(".page-progress") && shown.title === ${JSON.stringify(title)}
        && shown.address === ${JSON.stringify(end)}
        && (shown.current === shown.title || !location.search.includes("view="));
      if (isThere || performance.now() > until) return shown;
      await new Promise(requestAnimationFrame);
    }
  })()`);
}

interface Person {
  tenantId: number;
  userType: 0 | 1 | 2;
}

const people: Person[] = [1, 2].flatMap((tenantId) =>
  ([0, 1, 2] as const).map((userType) => ({ tenantId, userType })),
);

/** One person of each userType opens every page; the others only those that they may not see. */
const opensAll = ({ tenantId, userType }: Person) => (userType === 0) === (tenantId === 1);

/** Pages of orders, money and messages, which a tenant's operator sees with rows. */
const OF_TENANT =
  /^\/(largeScreen|cupboardRun|idConfig|thirdPartApi\/(record|order)|smsManage\/(send|synopsis))/;

/** True for the one person on whose page axe looks; the other side uses the same pages, and nobody's are looked at. */
function isLookedAt(path: string, { tenantId, userType }: Person): boolean {
  if (path.startsWith("/userApplet")) return false;
  if (OF_TENANT.test(path)) return tenantId === 2 && userType === 1;
  return tenantId === 1 && userType === 0;
}

/** Addresses of the pages that are about one record. */
async function recordPages(page: Page): Promise<string[]> {
  const query = { lifecycle: "ACTIVE", pageSize: 10 };
  const { data } = await callApiAs(page, cabinetContract.list, { query });
  const id = data.list[0]?.id;
  return [
    `/cupboard/blockManage?id=${id}`,
    `/cupboard/cupboardEdit?id=${id}`,
    "/malfunction/incident?id=1",
    "/register/viewSms?tenantId=2",
  ];
}

/** Runs axe on the page once it is loaded. */
async function look(page: Page, address: string): Promise<void> {
  await untilLoaded(page, address);
  expect.soft(await findViolations(page), address).toEqual([]);
}

test.each(people)(
  "§2 §6 tenant $tenantId, userType $userType: sidebar and every route",
  async (who) => {
    const { context, page, complaints } = await demo.visit();
    const signInReply = page.waitForResponse((reply) =>
      reply.url().endsWith(urlPath(authContract.login)),
    );
    let notices = 0;
    page.on("request", (request) => {
      if (request.url().endsWith(urlPath(announcementContract.latest))) notices++;
    });
    await signInByHand(page, demo.server.account(who.tenantId, who.userType));
    const { prefetched } = (await (await signInReply).json()).data;
    const menu: MenuEntry[] = prefetched.menu;
    const notice = page.getByRole("dialog", { name: "存取柜通知！" });
    if (who.userType === 1) await closeVersionNotice(page);
    else expect(await notice.count()).toBe(0);
    await expect
      .poll(() => page.getByRole("button", { name: "版本通知" }).count())
      .toBe(who.userType === 1 ? 1 : 0);

    expect((await sidebarLinks(page)).sort()).toEqual(
      expectedMenu(who.userType, who.tenantId, menu).sort(),
    );
    const isOpen = isOpenTo(who.userType, who.tenantId, menu);
    for (const entry of everyRoute) {
      const { path, title, redirect } = entry;
      if (redirect) {
        if (!opensAll(who)) continue;
        await go(page, path);
        await page.waitForURL((url) =>
          url.pathname.startsWith(`${path.split("/").slice(0, 2).join("/")}`),
        );
        continue;
      }
      if (opensAll(who) || !isOpen(entry)) {
        const shown = { title, address: path, isRefused: !isOpen(entry) };
        expect(await arrive(page, path, title)).toMatchObject(shown);
        if (isLookedAt(path, who)) await look(page, path);
      }
      for (const view of entry.views ?? []) {
        if (!opensAll(who) && isOpen(entry, view)) continue;
        expect(await arrive(page, `${path}?view=${view.view}`, view.title, path)).toEqual({
          ...{ title: view.title, address: path, isRefused: !isOpen(entry, view) },
          ...{ headings: [view.title], links: { [title]: path }, current: view.title },
        });
        if (isLookedAt(path, who)) await look(page, `${path}?view=${view.view}`);
      }
    }
    const records = who.tenantId === 1 && who.userType === 0 ? await recordPages(page) : [];
    for (const address of records) {
      await go(page, address);
      await look(page, address);
    }
    const addresses = [
      ["/", "/dashboard"],
      ["/nowhere/at/all", "/dashboard"],
      ["/login", "/dashboard"],
      ["/redirect/set/role", "/set/role"],
      ["/404", "/404"],
      // Spellings are normalized to one path per page, so that permissions apply to all of them.
      ["/register/index/?size=10", "/register/index?size=10"],
      ["/REGISTER/Index?size=10", "/register/index?size=10"],
      ["/register//index/?size=10", "/register/index?size=10"],
      ["/SET/role/", "/set/role"],
      ["/LargeScreen/", "/largeScreen"],
    ] as const;
    for (const [path, end] of opensAll(who) ? addresses : []) {
      const entry = everyRoute.find((each) => each.path === end.split("?")[0]);
      if (entry) {
        const shown = { title: entry.title, address: end, isRefused: !isOpen(entry) };
        expect(await arrive(page, path, entry.title, end), path).toMatchObject(shown);
      } else {
        await go(page, path);
        await page.waitForURL((url) => url.pathname === end);
      }
    }
    if (who.userType !== 1) expect(notices, "asked for by operators only").toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  },
);
