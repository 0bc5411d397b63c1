// Sidebar menu as a pure function of routes, user and grants (specification §2, §6).
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import { isExternalTarget } from "@cabinet/contract/identity/access/menu.rules.ts";
import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { pathsForEveryone } from "@cabinet/contract/identity/access/routes.rules.ts";
import {
  isPlatformPath,
  PLATFORM_TENANT_ID,
} from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import type { Viewer } from "../../kit/access.rules.ts";

/** A tenant may give the page another title. */
const FAULTS_PATH = "/malfunction/index";

export interface MenuItem {
  path: string;
  title: string;
  icon: string;
  /** Empty for a page. */
  children: MenuItem[];
}

function flatEntries(entries: readonly MenuEntry[]): MenuEntry[] {
  return entries.flatMap((entry) => [entry, ...flatEntries(entry.children)]);
}

/** Applies the titles and icons that an administrator set in the menu tree. */
export function withMenuTitles(
  routes: readonly RouteEntry[],
  menu: readonly MenuEntry[],
): RouteEntry[] {
  const byUri = new Map(flatEntries(menu).map((entry) => [entry.uri, entry]));
  const renamed = (route: RouteEntry): RouteEntry => {
    const entry = byUri.get(route.path);
    return {
      ...route,
      title: entry?.title || route.title,
      ...(entry?.icon && { icon: entry.icon }),
      ...(route.children && { children: route.children.map(renamed) }),
    };
  };
  return routes.map(renamed);
}

/**
 * Checks the grant of a page's path; for a hidden page the caller passes the page that it is under.
 */
export function grantsOf(viewer: Viewer): (path: string) => boolean {
  const granted = new Set(flatEntries(viewer.menu).map((entry) => entry.uri));
  const isForeign = viewer.tenantId !== PLATFORM_TENANT_ID;
  return (path) => {
    if (isForeign && isPlatformPath(path)) return false;
    if (viewer.isVisit) return granted.has(path) && !pathsForEveryone.has(path);
    // Administrators of other tenants get the tenant's scope from the server, like everybody else.
    return (viewer.userType === 0 && !isForeign) || granted.has(path);
  };
}

/** External links in the menu tree below an entry, or at its top level. */
function linksBelow(uri: string | null, menu: readonly MenuEntry[]): MenuEntry[] {
  const parent = flatEntries(menu).find((entry) => entry.uri === uri);
  const siblings = uri === null ? menu : (parent?.children ?? []);
  return siblings.filter(isExternalTarget);
}

export function menuOf(routes: readonly RouteEntry[], viewer: Viewer): MenuItem[] {
  const isGranted = grantsOf(viewer);
  const sortOf = new Map(flatEntries(viewer.menu).map(({ uri, sort }) => [uri, sort]));
  const isShown = (route: RouteEntry) =>
    !route.hidden && route.showMenu !== -1 && isGranted(route.path);

  function itemOf(route: RouteEntry): MenuItem | null {
    const item = { path: route.path, title: route.title, icon: route.icon ?? "", children: [] };
    if (!route.children) return item;
    const children = itemsOf(route.children, route.path);
    const [only] = children;
    if (!only) return route.redirect ? null : item;
    // A single visible child replaces its parent.
    if (children.length === 1 && !route.alwaysShow && route.path !== "/settings") {
      return { ...only, icon: only.icon || item.icon };
    }
    return { ...item, children };
  }

  /** Pages in route-table order; each link before the first page with a higher sort. */
  function itemsOf(some: readonly RouteEntry[], parent: string | null): MenuItem[] {
    const shown = some.filter(isShown).flatMap((route) => {
      const item = itemOf(route);
      return item ? [{ item, sort: sortOf.get(route.path) ?? 0 }] : [];
    });
    for (const { uri, title, icon, sort } of linksBelow(parent, viewer.menu)) {
      const behind = shown.findIndex((other) => other.sort > sort);
      const item = { path: uri, title, icon, children: [] };
      shown.splice(behind === -1 ? shown.length : behind, 0, { item, sort });
    }
    return shown.map(({ item }) => item);
  }

  return itemsOf(routes, null);
}

/** First internal page of the menu; external links do not count. */
export function firstPageIn(items: readonly MenuItem[]): MenuItem | undefined {
  return items
    .flatMap((item) => (item.children.length > 0 ? (firstPageIn(item.children) ?? []) : [item]))
    .find(({ path }) => path.startsWith("/"));
}

/** Path of the page's menu item with its submenus, outermost first. */
export function trailOf(items: readonly MenuItem[], path: string): string[] {
  for (const item of items) {
    if (item.path === path) return [path];
    const below = trailOf(item.children, path);
    if (below.length > 0) return [item.path, ...below];
  }
  return [];
}

/** Keeps a single submenu open on each level. */
export function toggledSubmenu(
  open: readonly string[],
  trail: readonly string[],
): readonly string[] {
  const [path] = trail.slice(-1);
  return path !== undefined && open.includes(path) ? trail.slice(0, -1) : trail;
}

/** Red badge on 故障处理; null if the count is 0. */
export function badgeOf(item: MenuItem, faultCount: number): number | null {
  return item.path === FAULTS_PATH && faultCount !== 0 ? faultCount : null;
}

/** Index of the item to focus after a key, out of `count`; -1: none. */
export function focusAfter(key: string, at: number, count: number): number {
  if (at === -1) return -1;
  if (key === "ArrowDown") return (at + 1) % count;
  if (key === "ArrowUp") return (at - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : -1;
}
