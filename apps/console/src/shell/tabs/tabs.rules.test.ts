// Tab bar of the visited pages: adding and closing.
import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { describe, expect, it } from "vitest";
import {
  affixTabs,
  closeAll,
  closeOthers,
  closeTab,
  pathAfterClose,
  type Tabs,
  tabActions,
  visit,
} from "./tabs.rules.ts";

const route = (path: string, more: Partial<RouteEntry> = {}): RouteEntry => ({
  path,
  title: path,
  ...more,
});
const start = affixTabs(routeTable);
const open = (...paths: string[]) =>
  paths.reduce<Tabs>((tabs, path) => visit(tabs, route(path), ""), start);
const paths = (tabs: Tabs) => tabs.map((tab) => tab.path);

describe("§2 visited-tabs bar", () => {
  it("begins with the fixed tabs and adds each page once, with its latest filters", () => {
    expect(paths(start)).toEqual(["/dashboard"]);
    const tabs = visit(open("/a", "/b"), route("/a"), "?page=2");
    expect(paths(tabs)).toEqual(["/dashboard", "/a", "/b"]);
    expect(tabs[1]?.fullPath).toBe("/a?page=2");
    expect(visit(tabs, route("/a"), "?page=2")).toBe(tabs);
  });

  it("adds no tab for hidden pages", () => {
    expect(visit(start, route("/x", { hidden: true }), "")).toBe(start);
  });

  it("closes a tab, but never a fixed one", () => {
    expect(paths(closeTab(open("/a", "/b"), "/a"))).toEqual(["/dashboard", "/b"]);
    expect(paths(closeTab(open("/a"), "/dashboard"))).toEqual(["/dashboard", "/a"]);
  });

  it("closes others and all, except fixed ones", () => {
    expect(paths(closeOthers(open("/a", "/b", "/c"), "/b"))).toEqual(["/dashboard", "/b"]);
    expect(paths(closeAll(open("/a", "/b")))).toEqual(["/dashboard"]);
  });

  it("goes to the last remaining tab when the active one is closed, else home", () => {
    const tabs = open("/a", "/b");
    expect(pathAfterClose(tabs, closeTab(tabs, "/a"), "/a")).toBe("/b");
    expect(pathAfterClose(tabs, closeTab(tabs, "/a"), "/b")).toBeNull();
    expect(pathAfterClose(tabs, closeTab(tabs, "/a"), "/hidden")).toBeNull();
    expect(pathAfterClose(tabs, [], "/a")).toBe("/dashboard");
  });

  it("offers 刷新, 关闭, 关闭其他, 关闭全部, without 关闭 for a fixed tab", () => {
    const [home, page] = open("/a");
    expect(page && tabActions(page).map((item) => item.label)).toEqual([
      "刷新",
      "关闭",
      "关闭其他",
      "关闭全部",
    ]);
    expect(home && tabActions(home).map((item) => item.label)).toEqual([
      "刷新",
      "关闭其他",
      "关闭全部",
    ]);
  });
});
