// Displayed page, and the hidden pages of the other open tabs, kept mounted.
import { Activity, type ContextType, type ReactElement, use, useState } from "react";
import {
  type Location,
  UNSAFE_LocationContext as LocationContext,
  Outlet,
  UNSAFE_DataRouterDataContext as RouteDataContext,
  useLocation,
  useNavigation,
  useNavigationType,
  useOutlet,
} from "react-router";
import { useSwitch } from "../kit/switches.ts";
import { tabsStore, useTabs } from "./tabs/tabs-state.ts";

export function PageView() {
  const hasTabs = useSwitch("tagView");
  const isLoading = useNavigation().state !== "idle";
  return (
    <>
      {isLoading && <div className="page-progress" role="progressbar" aria-label="正在加载页面" />}
      {hasTabs ? <KeptPages /> : <Outlet />}
    </>
  );
}

/** Router state that a page reads. */
interface Snapshot {
  location: Location;
  outlet: ReactElement | null;
  data: ContextType<typeof RouteDataContext>;
}

const isSame = (a: Snapshot | undefined, b: Snapshot) =>
  a?.location === b.location && a.outlet === b.outlet && a.data === b.data;

/**
 * A hidden tab keeps the router state of when it was left; a page without a tab unmounts when it is
 * left.
 */
function KeptPages() {
  const shown = { location: useLocation(), outlet: useOutlet(), data: use(RouteDataContext) };
  const navigationType = useNavigationType();
  const tabs = useTabs();
  const refreshes = tabsStore((state) => state.refreshes);
  const [kept, setKept] = useState<readonly Snapshot[]>([]);
  const path = shown.location.pathname;
  const open = kept.filter(({ location }) => tabs.some((tab) => tab.path === location.pathname));
  const isKept = open.some(({ location }) => location.pathname === path);
  const pages = isKept
    ? open.map((page) => (page.location.pathname === path ? shown : page))
    : [...open, shown];
  if (pages.length !== kept.length || !pages.every((page, index) => isSame(kept[index], page))) {
    setKept(pages);
  }
  return pages.map(({ location, outlet, data }) => (
    <Activity
      key={`${location.pathname} ${refreshes[location.pathname] ?? 0}`}
      mode={location.pathname === path ? "visible" : "hidden"}
    >
      <LocationContext value={{ location, navigationType }}>
        <RouteDataContext value={data}>{outlet}</RouteDataContext>
      </LocationContext>
    </Activity>
  ));
}
