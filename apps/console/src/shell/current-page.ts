// Page named by the URL, as this account sees it.
import {
  matchedRoutes,
  type RouteEntry,
  viewOf,
} from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { useMemo } from "react";
import { useLocation } from "react-router";
import { currentSession, ownerOf, useIsImpersonating, useSignedIn } from "../kit/session.ts";
import { userStore } from "../kit/user-state.ts";
import { entryOf, HOME_PATH } from "./guard.rules.ts";
import { withMenuTitles } from "./navigation/menu.rules.ts";
import { mayOpen } from "./page-access.rules.ts";

export type CurrentPage = ReturnType<typeof useCurrentPage>;

export function useCurrentPage() {
  const { pathname, search } = useLocation();
  const { userType, tenantId } = useSignedIn();
  const isImpersonating = useIsImpersonating();
  const menu = userStore((state) => state.menu);
  const routes = useMemo(() => withMenuTitles(routeTable, menu), [menu]);
  const viewer = useMemo(
    () => ({ userType, tenantId, menu, isVisit: isImpersonating }),
    [userType, tenantId, menu, isImpersonating],
  );
  const page = matchedRoutes(routes, pathname).at(-1);
  const view = viewOf(page, search);
  return {
    routes,
    viewer,
    page,
    title: (view ?? page)?.title,
    isAllowed: page === undefined || mayOpen(viewer, page, view),
    /**
     * False until the granted menu has loaded; only briefly, because the menu is cached in the
     * browser.
     */
    isMenuKnown: menu.length > 0,
  };
}

/**
 * Whether the signed-in account may open a page, by the menu that the browser stores; everyone may
 * open home.
 */
export function mayOpenNow(page: RouteEntry, search: string): boolean {
  const session = currentSession();
  if (!session || entryOf(session) !== "signed-in") return false;
  if (page.path === HOME_PATH) return true;
  const { owner, menu } = userStore.getState();
  if (owner !== ownerOf(session)) return false;
  const { userType, tenantId, visit } = session;
  const viewer = { userType, tenantId, menu, isVisit: visit !== undefined };
  return mayOpen(viewer, page, viewOf(page, search));
}
