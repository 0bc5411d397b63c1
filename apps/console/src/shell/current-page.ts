// Page named by the URL, as this account sees it.
import { matchedRoutes, viewOf } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { useMemo } from "react";
import { useLocation } from "react-router";
import { useIsImpersonating, useSignedIn } from "../kit/session.ts";
import { withMenuTitles } from "./navigation/menu.rules.ts";
import { userStore } from "./navigation/user-state.ts";
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
