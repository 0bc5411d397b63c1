// Pages that the search box finds by title: the granted ones of the menu, with their views.
import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import type { PageHit } from "../../features/orders/search/search-hit.rules.ts";
import type { Viewer } from "../../kit/access.rules.ts";
import { mayOpen } from "../page-access.rules.ts";

export function searchablePages(
  routes: readonly RouteEntry[],
  viewer: Viewer,
  groups: readonly string[] = [],
): PageHit[] {
  return routes
    .filter(({ hidden, showMenu }) => !hidden && showMenu !== -1)
    .flatMap((route) => {
      if (route.children) {
        return searchablePages(route.children, viewer, [...groups, route.title]);
      }
      if (!mayOpen(viewer, route)) return [];
      const views = (route.views ?? []).filter(
        (view) => !view.isUnlisted && mayOpen(viewer, route, view),
      );
      const of = (title: string, path: string) => ({ title, path, groups });
      return [
        of(route.title, route.path),
        ...views.map(({ title, view }) => of(title, `${route.path}?view=${view}`)),
      ];
    });
}
