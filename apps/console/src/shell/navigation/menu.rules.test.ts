// Contents of the sidebar for each account.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import { type MenuSeed, menuSeed } from "@cabinet/contract/identity/access/menu-seed.rules.ts";
import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { describe, expect, it } from "vitest";
import { isIconName } from "../../ui/display/icons.ts";
import {
  badgeOf,
  firstPageIn,
  focusAfter,
  type MenuItem,
  menuOf,
  toggledSubmenu,
  trailOf,
  withMenuTitles,
} from "./menu.rules.ts";

let lastId = 0;
function entryOf(seed: MenuSeed): MenuEntry {
  return { ...seed, id: ++lastId, sort: 0, children: seed.children.map(entryOf) };
}
const wholeMenu = menuSeed.map(entryOf);

function entry(uri: string, children: MenuEntry[] = [], title = uri): MenuEntry {
  const id = ++lastId;
  return { id, uri, title, icon: "", kind: "MENU", permissions: [], sort: 0, children };
}
function flat(items: readonly MenuItem[]): string[] {
  return items.flatMap((item) => (item.children.length ? flat(item.children) : [item.path]));
}

const platform = { userType: 0, tenantId: 1, menu: [] };
const a: RouteEntry = { path: "/a/a", title: "甲" };
const b: RouteEntry = { path: "/a/b", title: "乙" };

describe("§2 sidebar", () => {
  it("drops hidden routes and those with showMenu -1", () => {
    const routes: RouteEntry[] = [
      { path: "/a", title: "组", children: [a, b, { ...b, path: "/a/c", hidden: true }] },
      { path: "/d", title: "丁", showMenu: -1 },
    ];
    expect(flat(menuOf(routes, platform))).toEqual(["/a/a", "/a/b"]);
  });

  it("shows a single visible child directly, with its parent's icon", () => {
    const routes: RouteEntry[] = [
      { path: "/a", title: "组", icon: "box", children: [a, { ...b, hidden: true }] },
    ];
    expect(menuOf(routes, platform)).toEqual([
      { path: "/a/a", title: "甲", icon: "box", children: [] },
    ]);
  });

  it("keeps the parent of a single child when always-show is set, and for /settings", () => {
    const always: RouteEntry = { path: "/a", title: "组", alwaysShow: true, children: [a] };
    const settings: RouteEntry = { path: "/settings", title: "组", children: [a] };
    for (const item of menuOf([always, settings], platform)) {
      expect(item.children.map((child) => child.path)).toEqual(["/a/a"]);
    }
  });

  it("drops empty groups", () => {
    const group: RouteEntry = { path: "/a", title: "组", redirect: "noRedirect", children: [] };
    expect(menuOf([group], platform)).toEqual([]);
  });

  it("finds the ancestors of a page and keeps one submenu open", () => {
    const items = menuOf(routeTable, platform);
    expect(trailOf(items, "/cupboardRun/pay/topUp")).toEqual([
      "/cupboardRun",
      "/cupboardRun/pay",
      "/cupboardRun/pay/topUp",
    ]);
    expect(trailOf(items, "/cupboard/blockManage")).toEqual([]);
    const one = toggledSubmenu([], ["/cupboardRun"]);
    expect(one).toEqual(["/cupboardRun"]);
    const inner = toggledSubmenu(one, ["/cupboardRun", "/cupboardRun/pay"]);
    expect(inner).toEqual(["/cupboardRun", "/cupboardRun/pay"]);
    expect(toggledSubmenu(inner, ["/cupboardRun", "/cupboardRun/pay"])).toEqual(one);
    expect(toggledSubmenu(inner, ["/user"])).toEqual(["/user"]);
    expect(toggledSubmenu(one, ["/cupboardRun"])).toEqual([]);
  });

  it("supports arrow keys", () => {
    expect(
      ["ArrowDown", "ArrowUp", "Home", "End", "a"].map((key) => focusAfter(key, 0, 3)),
    ).toEqual([1, 2, 0, 2, -1]);
    expect(focusAfter("ArrowDown", 2, 3)).toBe(0);
    expect(focusAfter("ArrowDown", -1, 3)).toBe(-1);
  });

  it("shows a badge on 故障处理, whatever its title is, unless the count is 0", () => {
    const repair: MenuItem = { path: "/malfunction/index", title: "报修", icon: "", children: [] };
    expect(badgeOf(repair, 3)).toBe(3);
    expect(badgeOf(repair, 0)).toBeNull();
    expect(badgeOf({ ...repair, path: "/cupboard/index" }, 3)).toBeNull();
  });

  it("has an icon for every top entry", () => {
    for (const item of menuOf(routeTable, platform))
      expect(isIconName(item.icon), item.path).toBe(true);
  });

  it("first page: belongs to the first group with a page and is never an external link", () => {
    const item = (path: string, children: MenuItem[] = []) => ({
      path,
      title: path,
      icon: "",
      children,
    });
    const link = item("https://example.com/");
    expect(firstPageIn([link, item("/a", [link, item("/a/b", [item("/a/b/c")])])])?.path).toBe(
      "/a/b/c",
    );
    expect(firstPageIn([link])).toBeUndefined();
  });

  it("shows external links of the menu tree in their group, in sort order", () => {
    const routes: RouteEntry[] = [{ path: "/a", title: "组", children: [a, b] }];
    const link = (uri: string, sort: number) => ({ ...entry(uri, [], "链接"), icon: "faq", sort });
    const group = {
      ...entry("/a", [
        { ...entry("/a/a"), sort: 10 },
        { ...entry("/a/b"), sort: 20 },
        link("https://in.example/x", 15),
        link("https://last.example", 20),
      ]),
      sort: 10,
    };
    const menu = [link("https://first.example", 5), group];
    const [first, inGroup] = menuOf(routes, { ...platform, menu });
    expect(first).toEqual({
      path: "https://first.example",
      title: "链接",
      icon: "faq",
      children: [],
    });
    expect(inGroup?.children.map((item) => item.path)).toEqual([
      "/a/a",
      "https://in.example/x",
      "/a/b",
      "https://last.example",
    ]);
    expect(
      flat(menuOf(routes, { userType: 1, tenantId: 2, menu: [menu[0] as MenuEntry] })),
    ).toEqual(["https://first.example"]);
  });

  it("ignores entries of the menu tree without a matching page", () => {
    const menu = [entry("/nowhere"), entry("javascript:alert(1)")];
    expect(menuOf([a], { ...platform, menu }).map((item) => item.path)).toEqual(["/a/a"]);
  });

  it("shows titles as renamed by the administrator", () => {
    const [renamed] = withMenuTitles([a], [entry("/a/a", [], "新名")]);
    expect(renamed?.title).toBe("新名");
  });
});

describe("§6 menu by userType", () => {
  it("type 0 sees every menu entry", () => {
    const visible = (routes: readonly RouteEntry[]): string[] =>
      routes
        .filter((route) => !route.hidden && route.showMenu !== -1)
        .flatMap((route) => (route.children ? visible(route.children) : [route.path]));
    expect(flat(menuOf(routeTable, platform))).toEqual(visible(routeTable));
  });

  it.each([1, 2])("type %i sees only what the server granted", (userType) => {
    const menu = [entry("/cupboard", [entry("/cupboard/index")]), entry("/dashboard")];
    const items = menuOf(routeTable, { userType, tenantId: 1, menu });
    expect(flat(items)).toEqual(["/dashboard", "/cupboard/index"]);
    expect(menuOf(routeTable, { userType, tenantId: 1, menu: [] })).toEqual([]);
  });
});

describe("§6 menu by tenant", () => {
  it.each([0, 1, 2])("tenants other than 1 have no /register, as type %i", (userType) => {
    const items = menuOf(routeTable, { userType, tenantId: 2, menu: wholeMenu });
    expect(flat(items).filter((path) => path.includes("/register"))).toEqual([]);
    const main = menuOf(routeTable, { userType, tenantId: 1, menu: wholeMenu });
    expect(flat(main)).toContain("/register/index");
  });

  it("shows the administrator of another tenant what the tenant has", () => {
    const menu = [entry("/cupboard", [entry("/cupboard/index")])];
    expect(flat(menuOf(routeTable, { userType: 0, tenantId: 2, menu }))).toEqual([
      "/cupboard/index",
    ]);
  });

  it("tenants other than 1 have no /set/power among the children of /set", () => {
    const foreign = flat(menuOf(routeTable, { userType: 0, tenantId: 2, menu: wholeMenu }));
    expect(foreign).toContain("/set/role");
    expect(foreign).not.toContain("/set/power");
    expect(flat(menuOf(routeTable, platform))).toContain("/set/power");
  });
});
