// Tab bar of the visited pages, with a context menu.
import { type MouseEvent, useEffect, useRef, useState, type WheelEvent } from "react";
import { useNavigate } from "react-router";
import { leavePage } from "../../kit/leaving.ts";
import { Link } from "../../kit/link.tsx";
import { queryClient } from "../../kit/query.ts";
import { PopupMenu } from "../../ui/popup/popup-menu.tsx";
import { Glyph } from "../glyph.tsx";
import {
  closeAll,
  closeOthers,
  closeTab,
  pathAfterClose,
  type Tab,
  type TabAction,
  type Tabs,
  tabActions,
} from "./tabs.rules.ts";
import { markRefreshed, setTabs, useTabs } from "./tabs-state.ts";
import "./tabs-bar.css";

const MIDDLE_BUTTON = 1;

/** A mouse has one wheel, the strip has no scrollbar. */
function scrollSideways({ currentTarget, deltaX, deltaY }: WheelEvent): void {
  if (deltaX === 0) currentTarget.scrollLeft += deltaY;
}

export function TabsBar({ activePath }: { activePath: string }) {
  const tabs = useTabs();
  const navigate = useNavigate();
  const [menu, setMenu] = useState<{ tab: Tab; left: number; top: number } | null>(null);
  const bar = useRef<HTMLElement>(null);

  // The layout adds a page to the tabs after it is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new tab may be outside of what is shown.
  useEffect(() => {
    const selector = `[data-tab="${CSS.escape(activePath)}"]`;
    bar.current?.querySelector(selector)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [activePath, tabs]);

  /** Cancels a change of the tabs that would leave a page if the user chooses to stay on it. */
  async function change(after: Tabs, target: string | null): Promise<void> {
    if (target && !(await leavePage())) return;
    setTabs(() => after);
    if (target) await navigate(target);
  }
  const leave = (left: Tabs) => change(left, pathAfterClose(tabs, left, activePath));

  const actions: Record<TabAction, (tab: Tab) => Promise<void>> = {
    refresh: async (tab) => {
      if (!(await leavePage())) return;
      markRefreshed(tab.path);
      // Marks all queries as stale: the page refetches when it is mounted again.
      await queryClient.invalidateQueries({ refetchType: "none" });
      await navigate(`/redirect${tab.fullPath}`, { replace: true });
    },
    close: (tab) => leave(closeTab(tabs, tab.path)),
    "close-others": (tab) =>
      change(closeOthers(tabs, tab.path), tab.path === activePath ? null : tab.fullPath),
    "close-all": () => leave(closeAll(tabs)),
  };

  function openMenu(event: MouseEvent, tab: Tab): void {
    event.preventDefault();
    setMenu({ tab, left: event.clientX, top: event.clientY });
  }

  return (
    <nav ref={bar} className="tabs-bar" aria-label="已访问页面" onWheel={scrollSideways}>
      {tabs.map((tab) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the link and button inside have the keys.
        <div
          key={tab.path}
          className="tab"
          data-tab={tab.path}
          data-active={tab.path === activePath}
          onContextMenu={(event) => openMenu(event, tab)}
          onMouseDown={(event) => event.button === MIDDLE_BUTTON && event.preventDefault()}
          onAuxClick={(event) => {
            if (event.button !== MIDDLE_BUTTON || tab.isAffix) return;
            event.preventDefault();
            void actions.close(tab);
          }}
        >
          <Link
            to={tab.fullPath}
            {...(tab.path === activePath && { "aria-current": "page" as const })}
          >
            {tab.title}
          </Link>
          {!tab.isAffix && (
            <button
              type="button"
              aria-label={`关闭${tab.title}`}
              onClick={() => void actions.close(tab)}
            >
              <Glyph name="close" />
            </button>
          )}
        </div>
      ))}
      {menu && (
        <PopupMenu
          label={`${menu.tab.title}标签`}
          anchorOf={() => ({ ...menu, width: 0, height: 0 })}
          items={tabActions(menu.tab).map(({ action, label }) => ({
            key: action,
            label,
            run: () => actions[action](menu.tab),
          }))}
          onClose={() => setMenu(null)}
        />
      )}
    </nav>
  );
}
