// The one rule for opening a page: ordinary, hidden, full-screen, or a view of another.
import type { RouteEntry, RouteView } from "@cabinet/contract/access/route-entry.rules.ts";
import { accessOf, type Viewer } from "../kit/access.rules.ts";
import { grantsOf } from "./menu.rules.ts";

/** The menu grants the page (or the one that a hidden page is under), and its permissions what the page does. */
export function mayOpen(viewer: Viewer, page: RouteEntry, view?: RouteView): boolean {
  const hasAccess = accessOf(viewer);
  return (
    grantsOf(viewer)(page.under ?? page.path) &&
    [page.access, view?.access].every((access) => access === undefined || hasAccess(access))
  );
}
