// What the route table says of a page and of its views, and how to find one.
import type { Access } from "../kit/endpoint.ts";

/** Another page at the path of an entry, selected by `?view=`. */
export interface RouteView {
  view: string;
  title: string;
  /** Short form for the switch between the views; `title` if absent. */
  label?: string;
  /** Required in addition to the grant of the entry. */
  access?: Access;
  /** Not offered by the switch above the page. */
  isUnlisted?: true;
}

export interface RouteEntry {
  /** Full path, as in the address bar. */
  path: string;
  title: string;
  /** What the specification calls the route, where it gives it a name. */
  name?: string;
  icon?: string;
  /** Kept out of menu, tabs and breadcrumb. */
  hidden?: true;
  /** Of a hidden page: the visible page that it belongs to, by grants and in the menu. */
  under?: string;
  /** Required to open a hidden page, in addition to the grant of the page it is under. */
  access?: Access;
  views?: readonly RouteView[];
  /** Label of the entry's own page in the switch between its views; `title` if absent. */
  viewLabel?: string;
  /** Shown as a parent even with one visible child. */
  alwaysShow?: true;
  /** -1: in the menu of nobody although it is not hidden. */
  showMenu?: -1;
  /** Open to every account: granted to all, and part of no role. */
  forEveryone?: true;
  /** Its tab cannot be closed. */
  affix?: true;
  /** Outside the layout, alone on the screen. */
  isFullScreen?: true;
  /** A crumb of it is not clickable: there is no page, only its children. */
  redirect?: "noRedirect";
  /** Accesses of the contract that the page, and the hidden pages behind it, need. */
  permissions?: readonly string[];
  /** What may be granted one by one on this page. */
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

/** The view of a page that the query selects; undefined: the page itself. */
export function viewOf(route: RouteEntry | undefined, query: string): RouteView | undefined {
  const name = new URLSearchParams(query).get("view");
  return route?.views?.find(({ view }) => view === name);
}
