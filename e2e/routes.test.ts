// Every route of the specification's table, as each userType, as tenant 1 and as tenant 2 (§2, §6).
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import type { RouteEntry, RouteView } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { closeVersionNotice, go, signInByHand } from "./support/browser.ts";
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
  for (const [path, accept] of [
    ["/robots.txt"],
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

const people = [1, 2].flatMap((tenantId) =>
  ([0, 1, 2] as const).map((userType) => ({ tenantId, userType })),
);

test.each(people)(
  "§2 §6 tenant $tenantId, userType $userType: sidebar and every route",
  async (who) => {
    const { context, page, complaints } = await demo.visit();
    const signInReply = page.waitForResponse((reply) =>
      reply.url().endsWith(urlPath(authContract.login)),
    );
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
    const refusal = page.getByRole("heading", { name: /^没有权限访问/ });
    for (const entry of everyRoute) {
      const { path, title, redirect } = entry;
      await go(page, path);
      if (redirect) {
        await page.waitForURL((url) =>
          url.pathname.startsWith(`${path.split("/").slice(0, 2).join("/")}`),
        );
        continue;
      }
      await expect.poll(() => page.title(), { message: path }).toBe(`${title} - 智能存取系统`);
      expect(new URL(page.url()).pathname).toBe(path);
      expect(await refusal.count(), `${path} is refused`).toBe(isOpen(entry) ? 0 : 1);
      for (const view of entry.views ?? []) {
        await go(page, `${path}?view=${view.view}`);
        const message = `${path}?view=${view.view}`;
        await expect.poll(() => page.title(), { message }).toBe(`${view.title} - 智能存取系统`);
        await expect
          .poll(() => page.getByRole("heading", { level: 1 }).textContent())
          .toBe(view.title);
        expect(await refusal.count(), message).toBe(isOpen(entry, view) ? 0 : 1);
        const crumbs = page.getByRole("navigation", { name: "面包屑" });
        await expect
          .poll(() => crumbs.getByRole("link", { name: title }).getAttribute("href"))
          .toBe(path);
        await expect
          .poll(() => crumbs.locator("[aria-current=page]").textContent())
          .toBe(view.title);
      }
    }
    for (const [path, end] of [
      ["/", "/dashboard"],
      ["/nowhere/at/all", "/dashboard"],
      ["/login", "/dashboard"],
      ["/redirect/set/role", "/set/role"],
      ["/404", "/404"],
      // Spellings are normalized to one path per page, so that permissions apply to all of them.
      ["/register/index/?size=10", "/register/index"],
      ["/REGISTER/Index?size=10", "/register/index"],
      ["/register//index/?size=10", "/register/index"],
      ["/SET/role/", "/set/role"],
      ["/LargeScreen/", "/largeScreen"],
    ] as const) {
      await go(page, path);
      await page.waitForURL((url) => url.pathname === end);
      if (path.includes("?")) expect(new URL(page.url()).search).toBe("?size=10");
      const entry = everyRoute.find((each) => each.path === end);
      if (!entry) continue;
      await expect
        .poll(() => page.title(), { message: path })
        .toBe(`${entry.title} - 智能存取系统`);
      expect(await refusal.count(), `${path} is refused`).toBe(isOpen(entry) ? 0 : 1);
    }
    expect(complaints).toEqual([]);
    await context.close();
  },
);
