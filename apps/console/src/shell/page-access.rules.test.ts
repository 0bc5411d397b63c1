// Page access: every path and view of the route table, for each userType.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import { type MenuSeed, menuSeed } from "@cabinet/contract/identity/access/menu-seed.rules.ts";
import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { describe, expect, it } from "vitest";
import { mayOpen } from "./page-access.rules.ts";

const flat = (entries: readonly RouteEntry[]): RouteEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children ?? [])]);
const places = flat(routeTable)
  .filter((entry) => !entry.children)
  .flatMap((page) => [undefined, ...(page.views ?? [])].map((view) => ({ page, view })));

/** Entries of the seed selected by `isGranted`, with their parents. */
function menuWith(isGranted: (seed: MenuSeed) => boolean): MenuEntry[] {
  const pick = (seeds: readonly MenuSeed[]): MenuEntry[] =>
    seeds.flatMap((seed, id) => {
      const children = pick(seed.children);
      if (children.length === 0 && !isGranted(seed)) return [];
      return [{ id, sort: id, ...seed, children }] as unknown as MenuEntry[];
    });
  return pick(menuSeed);
}
const wholeMenu = menuWith(() => true);
/**
 * Default grants of maintenance staff in a new tenant: they read cabinets, stores and orders, and
 * open doors.
 */
const maintenance = [
  ["cabinet:read", "cabinet-event:read", "store:read", "compartment:read", "compartment:write"],
  ["command:read", "command:open", "order:read", "order:open", "malfunction:read"],
].flat();
const maintenanceMenu = menuWith(
  ({ uri, permissions }) =>
    uri === "/dashboard" ||
    uri.startsWith("/settings") ||
    (permissions.length > 0 && permissions.every((known) => maintenance.includes(known))),
);

const opened = (viewer: Parameters<typeof mayOpen>[0]) =>
  places
    .filter(({ page, view }) => mayOpen(viewer, page, view))
    .map(({ page, view }) => `${page.path}${view ? `?view=${view.view}` : ""}`);

describe("§2 §6 page access, including hidden and full-screen pages", () => {
  it("platform staff: all pages", () => {
    expect(opened({ userType: 0, tenantId: 1, menu: [] })).toHaveLength(places.length);
  });

  it("a tenant's administrator: all but the platform's pages", () => {
    const here = opened({ userType: 0, tenantId: 2, menu: wholeMenu });
    const others = opened({ userType: 0, tenantId: 1, menu: [] }).filter(
      (key) => !here.includes(key),
    );
    expect(others).toEqual([
      "/cupboard/ModelAdd",
      "/smsManage/synopsis?view=channel",
      ...["deviceList", "cabinetService", "record", "index", "registerAdd", "viewSms"].map(
        (name) => `/register/${name}`,
      ),
      "/set/power",
    ]);
  });

  it("maintenance staff: no edit forms, no large screen, no adverts", () => {
    expect(opened({ userType: 2, tenantId: 2, menu: maintenanceMenu })).toEqual([
      "/dashboard",
      "/cupboard/index",
      "/cupboard/blockManage",
      "/cupboard/simulated",
      "/cupboard/record",
      "/cupboard/log",
      "/point/index",
      "/cupboardRun/rider/order",
      "/userApplet/rider/order",
      "/malfunction/index",
      "/malfunction/incident",
      "/settings/index",
      "/settings/notice",
      "/settings/help",
      "/settings/review",
    ]);
  });

  it("an operator with every grant: a tenant's pages, also in the platform's own tenant", () => {
    const pages = opened({ userType: 0, tenantId: 2, menu: wholeMenu });
    expect(opened({ userType: 1, tenantId: 2, menu: wholeMenu })).toEqual(pages);
    const platforms = opened({ userType: 1, tenantId: 1, menu: wholeMenu });
    expect(platforms).toEqual(expect.arrayContaining(pages));
  });

  it("impersonation: no page that only serves to change something", () => {
    const menu = wholeMenu;
    const here = opened({ userType: 0, tenantId: 2, menu, isVisit: true });
    expect(here).toContain("/cupboard/banner");
    expect(here.filter((key) => /edit|add$/i.test(key))).toEqual([]);
  });

  it("nothing before the menu is known", () => {
    expect(opened({ userType: 1, tenantId: 2, menu: [] })).toEqual([]);
  });
});
