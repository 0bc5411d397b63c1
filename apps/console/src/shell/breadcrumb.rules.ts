// The breadcrumb: matched routes with titles, home in front (specification §2).
import type { RouteEntry } from "@cabinet/contract/access/routes.rules.ts";
import { HOME_PATH } from "./guard.rules.ts";

export interface Crumb {
  path: string;
  title: string;
  isLink: boolean;
}

/** Routes from the outermost to the page itself; empty when the path is not in the table. */
export function matchedRoutes(routes: readonly RouteEntry[], path: string): RouteEntry[] {
  for (const route of routes) {
    if (route.path === path) return [route];
    const below = matchedRoutes(route.children ?? [], path);
    if (below.length > 0) return [route, ...below];
  }
  return [];
}

/** Hidden pages are kept out; the last crumb and those of `noRedirect` routes are no links. */
export function crumbsOf(routes: readonly RouteEntry[], path: string): Crumb[] {
  const matched = matchedRoutes(routes, path).filter((route) => route.title && !route.hidden);
  const home = matchedRoutes(routes, HOME_PATH);
  const all = matched[0]?.path === HOME_PATH ? matched : [...home, ...matched];
  return all.map((route, index) => ({
    path: route.path,
    title: route.title,
    isLink: index < all.length - 1 && route.redirect !== "noRedirect",
  }));
}

/** The first page below a group, for its bare path. */
export function firstPage(route: RouteEntry): string {
  const child = route.children?.find((candidate) => !candidate.hidden);
  return child ? firstPage(child) : route.path;
}
