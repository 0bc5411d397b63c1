// The visited pages of this browser tab.
import { routeTable } from "@cabinet/contract/access/routes.rules.ts";
import { create } from "zustand";
import { affixTabs, type Tabs } from "./tabs.rules.ts";

interface TabsState {
  tabs: Tabs;
  /** How often each page was refreshed: a new number is a new page. */
  refreshes: Readonly<Record<string, number>>;
}

const initial = (): TabsState => ({ tabs: affixTabs(routeTable), refreshes: {} });

export const tabsStore = create<TabsState>(initial);

export function setTabs(change: (tabs: Tabs) => Tabs): void {
  tabsStore.setState(({ tabs }) => ({ tabs: change(tabs) }));
}

export function markRefreshed(path: string): void {
  tabsStore.setState(({ refreshes }) => ({
    refreshes: { ...refreshes, [path]: (refreshes[path] ?? 0) + 1 },
  }));
}

export function clearTabs(): void {
  tabsStore.setState(initial(), true);
}
