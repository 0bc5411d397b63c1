// Shell around every page: sidebar, navbar, tabs, version notice; a full-screen page has none of it.
import { useEffect, useMemo, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { usePreferences } from "../kit/preference.ts";
import { useSignedIn } from "../kit/session.ts";
import { useSwitch } from "../kit/switches.ts";
import { userStore } from "../kit/user-state.ts";
import { settings } from "../settings.ts";
import { type CurrentPage, useCurrentPage } from "./current-page.ts";
import { useDocumentTitle } from "./document-title.ts";
import { FactorBanner } from "./factor-banner.tsx";
import { HOME_PATH } from "./guard.rules.ts";
import { closeDrawer, layoutStore } from "./layout-state.ts";
import { crumbsOf } from "./navigation/breadcrumb.rules.ts";
import { Breadcrumb } from "./navigation/breadcrumb.tsx";
import { firstPageIn, type MenuItem, menuOf } from "./navigation/menu.rules.ts";
import { Navbar } from "./navigation/navbar.tsx";
import { SearchEntry } from "./navigation/search-entry.tsx";
import { Sidebar } from "./navigation/sidebar.tsx";
import { useMenuFromServer, useUserStateFromServer } from "./navigation/user-state-sync.ts";
import { VersionNotice } from "./notices/version-notice.tsx";
import { PageSkeleton } from "./page-loading.tsx";
import { PageView } from "./page-view.tsx";
import { NotGrantedPage } from "./plain-pages.tsx";
import { ProofGate } from "./proof-gate.tsx";
import { visit } from "./tabs/tabs.rules.ts";
import { TabsBar } from "./tabs/tabs-bar.tsx";
import { setTabs } from "./tabs/tabs-state.ts";
import "./layout.css";
import "./print.css";

const NOTICE_USER_TYPE = 1;

export function Layout() {
  const current = useCurrentPage();
  useMenuFromServer();
  useDocumentTitle(current.title);
  return (
    <>
      <FactorBanner />
      {current.page?.isFullScreen && current.isAllowed ? <Outlet /> : <Shell {...current} />}
      <ProofGate />
    </>
  );
}

function Shell(current: CurrentPage) {
  const { routes, viewer, page, title } = current;
  const { pathname, search, key } = useLocation();
  const { userType } = useSignedIn();
  const hasTabs = useSwitch("tagView");
  const { device, isSidebarOpen } = layoutStore();
  const faultCount = userStore((state) => state.faultCount);
  const [isNoticeAsked, setIsNoticeAsked] = useState(false);
  useUserStateFromServer(pathname);
  usePreferences();
  const items = useMemo(() => menuOf(routes, viewer), [routes, viewer]);

  useEffect(() => {
    if (page && title) setTabs((tabs) => visit(tabs, { ...page, title }, search));
  }, [page, title, search]);
  // Each navigation has its own key, also one that changes the query alone or leads to the same page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation is the occasion.
  useEffect(closeDrawer, [key]);

  return (
    <div
      className="layout"
      data-device={device}
      data-sidebar={isSidebarOpen ? "open" : "closed"}
      data-tabs={hasTabs}
    >
      <SkipLink />
      <Sidebar items={items} activePath={page?.under ?? pathname} faultCount={faultCount} />
      <Navbar
        breadcrumb={<Breadcrumb crumbs={crumbsOf(routes, pathname, search)} />}
        search={<SearchEntry routes={routes} viewer={viewer} />}
        onBell={userType === NOTICE_USER_TYPE ? () => setIsNoticeAsked(true) : null}
      />
      {hasTabs && <TabsBar activePath={pathname} />}
      <main id="content" className="content" tabIndex={-1}>
        <h1 className="visually-hidden">{title ?? settings.title}</h1>
        <Content {...current} first={firstPageIn(items)} />
      </main>
      {userType === NOTICE_USER_TYPE && (
        <VersionNotice isAsked={isNoticeAsked} onClose={() => setIsNoticeAsked(false)} />
      )}
    </div>
  );
}

/** Focuses by script: following the `#` link would add a history entry unknown to the router. */
function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a place of the page, as its href says.
    <a
      className="skip-link"
      href="#content"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById("content")?.focus();
      }}
    >
      跳到正文
    </a>
  );
}

/**
 * Checks access to every page. Only home does not wait for the menu, because it shows only what is
 * granted.
 */
function Content({
  page,
  title,
  isAllowed,
  isMenuKnown,
  first,
}: CurrentPage & { first: MenuItem | undefined }) {
  if (isAllowed || (!isMenuKnown && page?.path === HOME_PATH)) return <PageView />;
  return isMenuKnown ? <NotGrantedPage title={title ?? ""} first={first} /> : <PageSkeleton />;
}
