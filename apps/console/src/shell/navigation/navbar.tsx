// Navbar: menu button, breadcrumb, theme, notification centre, version-notice bell, user menu.
import { type ReactNode, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { PageHelp } from "../../domain/page-help.tsx";
import { leavePage } from "../../kit/leaving.ts";
import { useIsPlatform } from "../../kit/permission.ts";
import { useSignedIn } from "../../kit/session.ts";
import { settings } from "../../settings.ts";
import { PopupMenu } from "../../ui/popup/popup-menu.tsx";
import { Glyph } from "../glyph.tsx";
import { layoutStore, toggleSidebar } from "../layout-state.ts";
import { NotificationButton } from "../notices/notification-button.tsx";
import { signOut } from "../sign-out.ts";
import { useShortcuts } from "./shortcuts.tsx";
import { TenantSwitch } from "./tenant-switch.tsx";
import { ThemeButton } from "./theme-button.tsx";
import "./navbar.css";

export interface NavbarProps {
  breadcrumb: ReactNode;
  search: ReactNode;
  /** Null for accounts that get no version notices. */
  onBell: (() => void) | null;
}

export function Navbar({ breadcrumb, search, onBell }: NavbarProps) {
  const { device, isSidebarOpen } = layoutStore();
  // The drawer has the buttons that would leave the title no room.
  const isMobile = device === "mobile";
  const isPlatform = useIsPlatform();
  const shortcuts = useShortcuts();
  return (
    <header className="navbar" data-fixed={settings.fixedHeader}>
      <button
        type="button"
        className="icon-button"
        aria-label={isSidebarOpen ? "收起菜单" : "展开菜单"}
        aria-expanded={isSidebarOpen}
        onClick={toggleSidebar}
      >
        <Glyph name="menu" />
      </button>
      {breadcrumb}
      <PageHelp />
      {shortcuts}
      <div className="navbar-end">
        {search}
        {isPlatform && !isMobile && <TenantSwitch className="navbar-visit" />}
        {!isMobile && <ThemeButton />}
        <NotificationButton />
        {onBell && (
          <button type="button" className="icon-button" aria-label="版本通知" onClick={onBell}>
            <Glyph name="bell" />
          </button>
        )}
        <UserMenu />
      </div>
    </header>
  );
}

function UserMenu() {
  const { username } = useSignedIn();
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="navbar-user"
        aria-label={`用户菜单：${username}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span
          className="navbar-avatar"
          aria-hidden="true"
          data-initial={[...username][0]?.toUpperCase()}
        />
        <span className="navbar-name">{username}</span>
        <Glyph name="chevron" className="navbar-caret" />
      </button>
      {isOpen && (
        <PopupMenu
          label="用户菜单"
          anchorOf={() => button.current?.getBoundingClientRect() ?? null}
          opener={button.current}
          align="right"
          items={[
            {
              key: "sign-out",
              label: (
                <>
                  <Glyph name="leave" />
                  退出登录
                </>
              ),
              run: async () => {
                if (await leavePage()) await signOut(navigate);
              },
            },
          ]}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
