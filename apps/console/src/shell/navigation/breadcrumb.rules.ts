// Breadcrumb: matched routes with titles, after home (specification §2).
import {
  matchedRoutes,
  type RouteEntry,
  viewOf,
} from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { HOME_PATH } from "../guard.rules.ts";

export interface Crumb {
  path: string;
  title: string;
  isLink: boolean;
}

/**
 * Leaves out hidden pages; the last crumb and `noRedirect` routes are not links. A view follows its
 * page, whose crumb links to the page without the view.
 */
export function crumbsOf(routes: readonly RouteEntry[], path: string, query = ""): Crumb[] {
  const matched = matchedRoutes(routes, path).filter((route) => route.title && !route.hidden);
  const home = matched[0]?.path === HOME_PATH ? [] : matchedRoutes(routes, HOME_PATH);
  const view = viewOf(matched.at(-1), query);
  const all: Omit<RouteEntry, "children">[] = [
    ...home,
    ...matched,
    ...(view ? [{ path: `${path}?view=${view.view}`, title: view.title }] : []),
  ];
  return all.map((route, index) => ({
    path: route.path,
    title: route.title,
    isLink: index < all.length - 1 && route.redirect !== "noRedirect",
  }));
}

/** First page of a group, for the group's bare path. */
export function firstPage(route: RouteEntry): string {
  const child = route.children?.find((candidate) => !candidate.hidden);
  return child ? firstPage(child) : route.path;
}
