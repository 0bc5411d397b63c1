// Tests the route table against specification §2, and that grants cover every call.
import { describe, expect, it } from "vitest";
import { contracts } from "../../contracts.ts";
import type { EndpointSpec } from "../../kit/endpoint.ts";
import { type MenuSeed, menuSeed } from "./menu-seed.rules.ts";
import type { RouteEntry } from "./route-entry.rules.ts";
import { type PageKey, routeTable } from "./routes.rules.ts";

function flat(entries: readonly RouteEntry[]): RouteEntry[] {
  return entries.flatMap((entry) => [entry, ...flat(entry.children ?? [])]);
}
function flatSeed(entries: readonly MenuSeed[]): MenuSeed[] {
  return entries.flatMap((entry) => [entry, ...flatSeed(entry.children)]);
}

const pages = flat(routeTable).filter((entry) => !entry.children);
const run = (base: string) => [
  `${base}/index`,
  `${base}/rider/order`,
  `${base}/template`,
  `${base}/pay/payList`,
  `${base}/pay/payRecord`,
  `${base}/pay/statement`,
  `${base}/pay/topUp`,
];

describe("§2 Route table", () => {
  it("has every visible page", () => {
    const visible = pages.filter((page) => !page.hidden).map((page) => page.path);
    expect(visible.sort()).toEqual(
      [
        ["/dashboard", "/largeScreen", "/cupboard/index", "/cupboard/ModelList", "/point/index"],
        run("/cupboardRun"),
        run("/userApplet"),
        ["/smsManage/synopsis", "/smsManage/index", "/smsManage/send", "/malfunction/index"],
        ["/idConfig/wechat", "/idConfig/pay", "/idConfig/page"],
        ["/user/normalUser", "/user/userAdmin", "/user/operationAdmin"],
        ["/register/deviceList", "/register/cabinetService", "/register/index"],
        ["/set/role", "/set/power", "/set/maintenance", "/set/otherConfig"],
        ["/set/secretKey/cupboardKey", "/set/audit", "/set/loginLog"],
        ["/thirdPartApi/set", "/thirdPartApi/record", "/thirdPartApi/order"],
        ["/inform/index", "/faq/index"],
        ["/settings/index", "/settings/notice", "/settings/help", "/settings/review"],
      ]
        .flat()
        .sort(),
    );
  });

  it("has every hidden page, each under a visible one", () => {
    const hidden = pages.filter((page) => page.hidden);
    expect(hidden.map((page) => page.path).sort()).toEqual(
      [
        ["blockManage", "simulated", "cupboardEdit", "ModelAdd", "banner", "record", "log"].map(
          (name) => `/cupboard/${name}`,
        ),
        ["/point/pointEdit", "/cupboardRun/pay/mealAdd", "/userApplet/pay/mealAdd"],
        ["/register/record", "/register/registerAdd", "/register/viewSms"],
        ["/inform/edit", "/faq/faqEdit", "/malfunction/incident"],
      ]
        .flat()
        .sort(),
    );
    const visible = new Set(pages.filter((page) => !page.hidden).map((page) => page.path));
    for (const page of hidden) expect(visible).toContain(page.under);
  });

  it("views: titles and names are unique within a path", () => {
    for (const { path, title, views = [] } of pages) {
      const titles = [title, ...views.map((view) => view.title)];
      expect(new Set(titles).size, path).toBe(titles.length);
      expect(new Set(views.map(({ view }) => view)).size, path).toBe(views.length);
    }
    expect(new Set(pages.flatMap(({ views = [] }) => views.map(({ view }) => view))).size).toBe(20);
  });

  it("page keys: the type contains each path and view, and no other", () => {
    const known: PageKey[] = ["/point/pointEdit", "/userApplet/pay/topUp?view=topUps"];
    // @ts-expect-error: misspelt
    known.push("/cupboard/idnex");
    // @ts-expect-error: a view of another path
    known.push("/point/index?view=rollouts");
    expect(known).toHaveLength(4);
  });

  it("names each path once, with a title", () => {
    const all = flat(routeTable);
    expect(new Set(all.map((entry) => entry.path)).size).toBe(all.length);
    for (const entry of all) expect(entry.title, entry.path).not.toBe("");
  });

  it("home is titled 首页, the page with the badge 故障处理", () => {
    const titles = new Map(pages.map((page) => [page.path, page.title]));
    expect(titles.get("/dashboard")).toBe("首页");
    expect(pages.find((page) => page.name === "deliver")?.path).toBe("/dashboard");
    expect(titles.get("/malfunction/index")).toBe("故障处理");
  });
});

describe("§6 Menu entries", () => {
  const seeded = flatSeed(menuSeed);

  it("contain each visible route and button once", () => {
    const uris = seeded.map((entry) => entry.uri);
    expect(new Set(uris).size).toBe(uris.length);
    const menus = seeded.filter((entry) => entry.kind === "MENU").map((entry) => entry.uri);
    const visible = flat(routeTable).filter((entry) => !entry.hidden);
    expect(menus.sort()).toEqual(visible.map((entry) => entry.path).sort());
  });

  it("grant exactly the permissions that the contract requires", () => {
    const specs: EndpointSpec[] = Object.values(contracts).flatMap((contract) =>
      Object.values(contract),
    );
    const asked = new Set(
      specs.map((spec) => spec.access).filter((access) => access.includes(":")),
    );
    const granted = new Set(seeded.flatMap((entry) => entry.permissions));
    expect([...granted].sort()).toEqual([...asked].sort());
  });
});
