// Entry type of the route table with its views, and lookup of pages and views.
import type { Access } from "../../kit/endpoint.ts";

/** Additional page at an entry's path, selected by `?view=`. */
export interface RouteView {
  view: string;
  title: string;
  /** Short title in the view switch; `title` if absent. */
  label?: string;
  /** Access required in addition to the grant of the entry. */
  access?: Access;
  /** Not listed in the view switch above the page. */
  isUnlisted?: true;
}

export interface RouteEntry {
  /** Full path as in the address bar. */
  path: string;
  title: string;
  /** Route name in the specification, where it has one. */
  name?: string;
  icon?: string;
  /** Not shown in menu, tabs and breadcrumb. */
  hidden?: true;
  /** Hidden pages only: the visible page that owns it, for grants and in the menu. */
  under?: string;
  /** Hidden pages only: access required in addition to the grant of the owning page. */
  access?: Access;
  views?: readonly RouteView[];
  /** Title of the entry's own page in the view switch; `title` if absent. */
  viewLabel?: string;
  /** Shown as a parent even with one visible child. */
  alwaysShow?: true;
  /** -1: not in the menu although the page is not hidden. */
  showMenu?: -1;
  /** Open to every account without a grant; not part of roles. */
  forEveryone?: true;
  /** Its tab cannot be closed. */
  affix?: true;
  /** Shown without the layout, full screen. */
  isFullScreen?: true;
  /** Breadcrumb item is not clickable: the entry has only children, no page. */
  redirect?: "noRedirect";
  /** Permissions of the contract that the page and its hidden pages need. */
  permissions?: readonly string[];
  /** Permissions that can be granted one by one on this page. */
  buttons?: readonly { key: string; title: string; permissions: readonly string[] }[];
  children?: readonly RouteEntry[];
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

/** View selected by the query; undefined: the page itself. */
export function viewOf(route: RouteEntry | undefined, query: string): RouteView | undefined {
  const name = new URLSearchParams(query).get("view");
  return route?.views?.find(({ view }) => view === name);
}
