// The page on screen, and behind it the pages of the other open tabs, kept alive.
import type { RouteEntry } from "@cabinet/contract/access/routes.rules.ts";
import { Activity, Suspense, useDeferredValue, useState } from "react";
import { type Location, type RouteObject, useLocation, useRoutes } from "react-router";
import { settings } from "../settings.ts";
import { matchedRoutes } from "./breadcrumb.rules.ts";
import { PageBoundary, PageSkeleton } from "./page-loading.tsx";
import { tabsStore } from "./tabs-state.ts";

export interface PageViewProps {
  pages: RouteObject[];
  routes: readonly RouteEntry[];
}

export function PageView({ pages, routes }: PageViewProps) {
  const location = useLocation();
  const shown = useDeferredValue(location);
  return (
    <>
      {location !== shown && (
        <div className="page-progress" role="progressbar" aria-label="正在加载页面" />
      )}
      {settings.tagView ? (
        <KeptPages pages={pages} routes={routes} shown={shown} />
      ) : (
        <Page pages={pages} location={shown} />
      )}
    </>
  );
}

function Page({ pages, location }: { pages: RouteObject[]; location: Location }) {
  const page = useRoutes(pages, location);
  return (
    <PageBoundary resetKey={location.pathname}>
      <Suspense fallback={<PageSkeleton />}>{page}</Suspense>
    </PageBoundary>
  );
}

/** Each tab sees the address it was left at; a page without a tab lives while it is on screen. */
function KeptPages({ pages, routes, shown }: PageViewProps & { shown: Location }) {
  const { tabs, refreshes } = tabsStore();
  const [kept, setKept] = useState<readonly Location[]>([]);
  const open = kept.filter(({ pathname }) => tabs.some((tab) => tab.path === pathname));
  const known = open.find(({ pathname }) => pathname === shown.pathname);
  const current = known
    ? open.map((location) => (location === known ? shown : location))
    : [...open, shown];
  const isSame =
    current.length === kept.length && current.every((location, index) => location === kept[index]);
  if (!isSame && matchedRoutes(routes, shown.pathname).length > 0) setKept(current);
  return current.map((location) => (
    <Activity
      key={`${location.pathname} ${refreshes[location.pathname] ?? 0}`}
      mode={location.pathname === shown.pathname ? "visible" : "hidden"}
    >
      <Page pages={pages} location={location} />
    </Activity>
  ));
}
