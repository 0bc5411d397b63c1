// Visited pages of this browser tab, kept over a reload.
import { matchedRoutes } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import { currentSession, ownerOf, useSession } from "../../kit/session.ts";
import { affixTabs, type Tabs } from "./tabs.rules.ts";

interface TabsState {
  /** Account that visited the pages; for another one the tabs start empty. */
  owner: string | null;
  tabs: Tabs;
  /** Refresh count of each page: a new number remounts the page. */
  refreshes: Readonly<Record<string, number>>;
}

const initial: TabsState = { owner: null, tabs: affixTabs(routeTable), refreshes: {} };

export const tabsStore = create<TabsState>()(
  persist(() => initial, {
    name: "cupboard:tabs",
    version: 1,
    storage: createJSONStorage(() => sessionStorage),
    partialize: ({ owner, tabs }) => ({ owner, tabs }),
    // Drops stored tabs whose page no longer exists in this version.
    merge: (kept, now) => {
      const { owner, tabs } = kept as Pick<TabsState, "owner" | "tabs">;
      return { ...now, owner, tabs: tabs.filter(({ path }) => matchedRoutes(routeTable, path)[0]) };
    },
  }),
);

export function useTabs(): Tabs {
  const { owner, tabs } = tabsStore();
  return owner === ownerOf(useSession()) ? tabs : initial.tabs;
}

export function setTabs(change: (tabs: Tabs) => Tabs): void {
  const owner = ownerOf(currentSession());
  tabsStore.setState((state) => ({
    owner,
    tabs: change(state.owner === owner ? state.tabs : initial.tabs),
  }));
}

export function markRefreshed(path: string): void {
  tabsStore.setState(({ refreshes }) => ({
    refreshes: { ...refreshes, [path]: (refreshes[path] ?? 0) + 1 },
  }));
}

export function clearTabs(): void {
  tabsStore.setState(initial, true);
}
