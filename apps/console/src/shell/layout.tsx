// The shell around every page: sidebar, navbar, tabs, and what hangs over them.
import { type RouteEntry, routeTable } from "@cabinet/contract/access/routes.rules.ts";
import { useEffect, useMemo, useState } from "react";
import { type RouteObject, useLocation } from "react-router";
import { usePreferences } from "../kit/preference.ts";
import { useIsVisit, useSignedIn } from "../kit/session.ts";
import { settings } from "../settings.ts";
import { AnnouncementHint } from "./announcement-hint.tsx";
import { crumbsOf, matchedRoutes } from "./breadcrumb.rules.ts";
import { Breadcrumb } from "./breadcrumb.tsx";
import { useDocumentTitle } from "./document-title.ts";
import { closeDrawer, layoutStore } from "./layout-state.ts";
import { MalfunctionNotices } from "./malfunction-notices.tsx";
import { grantsOf, menuOf, withMenuTitles } from "./menu.rules.ts";
import { Navbar } from "./navbar.tsx";
import { PageView } from "./page-view.tsx";
import { NotGrantedPage } from "./plain-pages.tsx";
import { Sidebar } from "./sidebar.tsx";
import { visit } from "./tabs.rules.ts";
import { TabsBar } from "./tabs-bar.tsx";
import { setTabs } from "./tabs-state.ts";
import { userStore, useUserStateFromServer } from "./user-state.ts";
import { VersionNotice } from "./version-notice.tsx";
import "./layout.css";

const NOTICE_USER_TYPE = 1;

export function Layout({ pages }: { pages: RouteObject[] }) {
  const { pathname, search, key } = useLocation();
  const { userType, tenantId } = useSignedIn();
  const isVisit = useIsVisit();
  const { device, isSidebarOpen } = layoutStore();
  const { menu, faultCount, isHint } = userStore();
  const [isNoticeAsked, setIsNoticeAsked] = useState(false);
  useUserStateFromServer(pathname);
  usePreferences();

  const routes = useMemo(() => withMenuTitles(routeTable, menu), [menu]);
  const { items, isGranted } = useMemo(() => {
    const viewer = { userType, tenantId, menu, isVisit };
    return { items: menuOf(routes, viewer), isGranted: grantsOf(viewer) };
  }, [routes, userType, tenantId, menu, isVisit]);
  const page = matchedRoutes(routes, pathname).at(-1);
  // Before the menu is known, the page's own calls say what is not granted.
  const isClosed = menu.length > 0 && page !== undefined && !isGranted(page.under ?? page.path);
  useVisit(page, search);
  // Each navigation has its own key, also one that changes the query alone or leads to the same page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation is the occasion.
  useEffect(closeDrawer, [key]);

  return (
    <div
      className="layout"
      data-device={device}
      data-sidebar={isSidebarOpen ? "open" : "closed"}
      data-tabs={settings.tagView}
    >
      <a className="skip-link" href="#content">
        跳到正文
      </a>
      <Sidebar items={items} activePath={page?.under ?? pathname} faultCount={faultCount} />
      <Navbar
        breadcrumb={<Breadcrumb crumbs={crumbsOf(routes, pathname)} />}
        onBell={userType === NOTICE_USER_TYPE ? () => setIsNoticeAsked(true) : null}
      />
      {settings.tagView && <TabsBar activePath={pathname} />}
      <main id="content" className="content" tabIndex={-1}>
        <h1 className="visually-hidden">{page?.title ?? settings.title}</h1>
        {isClosed ? (
          <NotGrantedPage title={page.title} first={items[0]} />
        ) : (
          <PageView pages={pages} routes={routes} />
        )}
      </main>
      <AnnouncementHint />
      {isHint && !isVisit && <MalfunctionNotices />}
      {userType === NOTICE_USER_TYPE && (
        <VersionNotice isAsked={isNoticeAsked} onClose={() => setIsNoticeAsked(false)} />
      )}
    </div>
  );
}

/** Opens the page's tab and names the document after it. */
function useVisit(page: RouteEntry | undefined, search: string): void {
  useEffect(() => {
    if (page) setTabs((tabs) => visit(tabs, page, search));
  }, [page, search]);
  useDocumentTitle(page?.title);
}
