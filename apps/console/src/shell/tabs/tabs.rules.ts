// Tab bar of the visited pages as a pure list (specification §2, §3).
import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { HOME_PATH } from "../guard.rules.ts";

export interface Tab {
  path: string;
  /** With its `?`, or empty. */
  query: string;
  fullPath: string;
  title: string;
  /** Cannot be closed. */
  isAffix: boolean;
}

export type Tabs = readonly Tab[];

function tabOf(route: RouteEntry, query: string): Tab {
  return {
    path: route.path,
    query,
    fullPath: `${route.path}${query}`,
    title: route.title,
    isAffix: route.affix === true,
  };
}

export function affixTabs(routes: readonly RouteEntry[]): Tab[] {
  return routes.flatMap((route) => [
    ...(route.affix ? [tabOf(route, "")] : []),
    ...affixTabs(route.children ?? []),
  ]);
}

/** Adds or updates the page's only tab, which keeps its latest filters; hidden pages have none. */
export function visit(tabs: Tabs, route: RouteEntry, query: string): Tabs {
  if (route.hidden) return tabs;
  const tab = tabOf(route, query);
  const known = tabs.find((candidate) => candidate.path === tab.path);
  if (!known) return [...tabs, tab];
  if (known.fullPath === tab.fullPath && known.title === tab.title) return tabs;
  return tabs.map((candidate) => (candidate === known ? tab : candidate));
}

export function closeTab(tabs: Tabs, path: string): Tabs {
  return tabs.filter((tab) => tab.path !== path || tab.isAffix);
}

export function closeOthers(tabs: Tabs, path: string): Tabs {
  return tabs.filter((tab) => tab.path === path || tab.isAffix);
}

export function closeAll(tabs: Tabs): Tabs {
  return tabs.filter((tab) => tab.isAffix);
}

/**
 * Path to open when only `left` remain: null unless the active tab was closed, else the last tab,
 * else home.
 */
export function pathAfterClose(tabs: Tabs, left: Tabs, activePath: string): string | null {
  const isActive = (tab: Tab) => tab.path === activePath;
  if (!tabs.some(isActive) || left.some(isActive)) return null;
  return left.at(-1)?.fullPath ?? HOME_PATH;
}

export type TabAction = "refresh" | "close" | "close-others" | "close-all";

/** Omits 关闭 for a fixed tab. */
export function tabActions(tab: Tab): { action: TabAction; label: string }[] {
  return [
    { action: "refresh", label: "刷新" },
    ...(tab.isAffix ? [] : [{ action: "close" as const, label: "关闭" }]),
    { action: "close-others", label: "关闭其他" },
    { action: "close-all", label: "关闭全部" },
  ];
}
