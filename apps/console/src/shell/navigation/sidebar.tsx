// Sidebar: logo, menu, and the drawer around them on mobile.
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { type KeyboardEvent, useMemo, useState } from "react";
import { Link } from "../../kit/link.tsx";
import { useIsPlatform } from "../../kit/permission.ts";
import { useFileUrl } from "../../kit/upload.ts";
import { userStore } from "../../kit/user-state.ts";
import { settings } from "../../settings.ts";
import { closeDrawer, layoutStore } from "../layout-state.ts";
import { focusAfter, type MenuItem, toggledSubmenu, trailOf } from "./menu.rules.ts";
import { SidebarContext, SidebarItem } from "./sidebar-item.tsx";
import { TenantSwitch } from "./tenant-switch.tsx";
import { ThemeButton } from "./theme-button.tsx";
import "./sidebar.css";

export interface SidebarProps {
  items: readonly MenuItem[];
  /**
   * Path of the menu entry for the displayed page; for a hidden page, of the page that it is under.
   */
  activePath: string;
  faultCount: number;
}

export function Sidebar({ items, activePath, faultCount }: SidebarProps) {
  const { device, isSidebarOpen } = layoutStore();
  const isMobile = device === "mobile";
  const isPlatform = useIsPlatform();
  const isCollapsed = !isMobile && !isSidebarOpen;
  const trail = useMemo(() => trailOf(items, activePath), [items, activePath]);
  // By value: the menu that the server repeats must not close what the operator has opened.
  const submenus = trail.slice(0, -1).join(" ");
  const [openedFor, setOpenedFor] = useState(submenus);
  const [open, setOpen] = useState<readonly string[]>(submenus.split(" "));
  const [focused, setFocused] = useState<string | null>(null);
  // During rendering: opened by an effect, a new submenu would unfold and move all entries below it.
  if (openedFor !== submenus) {
    setOpenedFor(submenus);
    setOpen(submenus.split(" "));
  }

  const shown = shownPaths(items, isCollapsed ? [] : open);
  const fallback = trail.findLast((path) => shown.includes(path)) ?? shown[0] ?? null;
  const tabStop = focused !== null && shown.includes(focused) ? focused : fallback;
  const context = useMemo(
    () => ({
      open,
      trail,
      tabStop,
      isMobile,
      isCollapsed,
      faultCount,
      toggle: (path: string) => {
        setOpen((current) => toggledSubmenu(current, trailOf(items, path)));
      },
    }),
    [open, trail, tabStop, isMobile, isCollapsed, faultCount, items],
  );

  return (
    <>
      {isMobile && isSidebarOpen && (
        <button
          type="button"
          className="sidebar-backdrop"
          aria-label="关闭菜单"
          tabIndex={-1}
          onClick={closeDrawer}
        />
      )}
      <aside
        className="sidebar"
        data-device={device}
        data-open={isSidebarOpen}
        inert={isMobile && !isSidebarOpen}
        onKeyDown={(event) => event.key === "Escape" && closeDrawer()}
      >
        {settings.sidebarLogo && (
          <Link to="/" className="sidebar-logo" aria-label={`${settings.title}，回到首页`}>
            <Logo />
            <span>{settings.title}</span>
          </Link>
        )}
        <nav className="sidebar-nav" aria-label="主菜单" onKeyDown={moveFocus}>
          <SidebarContext value={context}>
            <ul
              className="sidebar-list"
              onFocus={(event) => setFocused(event.target.dataset.menuPath ?? null)}
            >
              {items.map((item) => (
                <SidebarItem key={item.path} item={item} depth={0} />
              ))}
            </ul>
          </SidebarContext>
        </nav>
        {isMobile && (
          <div className="sidebar-foot">
            {isPlatform && <TenantSwitch className="menu-line" />}
            <ThemeButton hasText />
          </div>
        )}
      </aside>
    </>
  );
}

/** Logo of the tenant, or else of the product. */
function Logo() {
  const logoId = userStore((state) => state.logoId);
  const { url, error } = useFileUrl(tenantSettingContract.logo, logoId ? { fileId: logoId } : null);
  if (logoId && !error) {
    return <img className="sidebar-own-logo" src={url ?? undefined} alt="" aria-hidden="true" />;
  }
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M9 8h14v16H9zM16 8v16M9 13.3h7M9 18.7h7M16 16h7" />
    </svg>
  );
}

/** Visible items, without those in closed submenus. */
function shownPaths(items: readonly MenuItem[], open: readonly string[]): string[] {
  return items.flatMap((item) => [
    item.path,
    ...(open.includes(item.path) ? shownPaths(item.children, open) : []),
  ]);
}

/** Arrow keys move the focus between items; Home and End go to the ends. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLElement)) return;
  const flyout = event.target.closest("[data-flyout]");
  const list = flyout ?? event.currentTarget;
  const items = [...list.querySelectorAll<HTMLElement>("[data-menu-path]")].filter(
    (item) => !item.closest("[inert]") && item.closest("[data-flyout]") === flyout,
  );
  const next = items[focusAfter(event.key, items.indexOf(event.target), items.length)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
