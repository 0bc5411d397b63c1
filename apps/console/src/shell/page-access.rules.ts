// Access rule for every page: ordinary, hidden, full-screen, or a view of another page.
import type { RouteEntry, RouteView } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { accessOf, type Viewer } from "../kit/access.rules.ts";
import { grantsOf } from "./navigation/menu.rules.ts";

/**
 * Requires the menu grant of the page (or of the page that a hidden page is under) and the
 * permissions of the page and view.
 */
export function mayOpen(viewer: Viewer, page: RouteEntry, view?: RouteView): boolean {
  const hasAccess = accessOf(viewer);
  return (
    grantsOf(viewer)(page.under ?? page.path) &&
    [page.access, view?.access].every((access) => access === undefined || hasAccess(access))
  );
}
