// Menu item: a page, an external link, or a submenu.
import { isExternalLink } from "@cabinet/contract/kit/external-link.rules.ts";
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useRef,
  useState,
} from "react";
import { Link } from "../../kit/link.tsx";
import { isIconAddress, isIconName } from "../../ui/display/icons.ts";
import { SvgIcon } from "../../ui/display/svg-icon.tsx";
import { Glyph } from "../glyph.tsx";
import { badgeOf, type MenuItem } from "./menu.rules.ts";

interface SidebarState {
  open: readonly string[];
  trail: readonly string[];
  /** Only item in the tab order (roving tabindex). */
  tabStop: string | null;
  isMobile: boolean;
  isCollapsed: boolean;
  faultCount: number;
  toggle: (path: string) => void;
}

export const SidebarContext = createContext<SidebarState>({
  open: [],
  trail: [],
  tabStop: null,
  isMobile: false,
  isCollapsed: false,
  faultCount: 0,
  toggle: () => {},
});

const CLOSE_DELAY_MS = 120;

export function SidebarItem({ item, depth }: { item: MenuItem; depth: number }) {
  const { isCollapsed } = use(SidebarContext);
  if (depth === 0 && isCollapsed) return <CollapsedItem item={item} />;
  if (item.children.length === 0) {
    return (
      <li>
        <MenuLink item={item} depth={depth} />
      </li>
    );
  }
  return <Submenu item={item} depth={depth} />;
}

function MenuLink({ item, depth, isTabStop }: LineProps & { isTabStop?: boolean }) {
  const { trail, tabStop } = use(SidebarContext);
  const isActive = trail.at(-1) === item.path;
  const common = {
    className: "menu-line",
    "data-depth": depth,
    "data-menu-path": item.path,
    tabIndex: (isTabStop ?? tabStop === item.path) ? 0 : -1,
    children: <Line item={item} depth={depth} />,
  };
  return <MenuAnchor {...common} path={item.path} isActive={isActive} />;
}

interface MenuAnchorProps extends ComponentProps<"a"> {
  path: string;
  isActive: boolean;
}

/** Opens a page here and an external link in a new tab. */
function MenuAnchor({ path, isActive, ...props }: MenuAnchorProps) {
  if (isExternalLink(path)) {
    return <a {...props} href={path} target="_blank" rel="noopener noreferrer" />;
  }
  const current = isActive ? "page" : undefined;
  return <Link {...props} to={path} data-active={isActive} aria-current={current} />;
}

interface LineProps {
  item: MenuItem;
  depth: number;
  children?: ReactNode;
}

function Line({ item, depth, children }: LineProps) {
  const { faultCount } = use(SidebarContext);
  const badge = badgeOf(item, faultCount);
  return (
    <>
      {depth === 0 && <MenuIcon name={item.icon} />}
      <span className="menu-title">{item.title}</span>
      {badge !== null && (
        <span className="menu-badge">
          {badge > 999 ? "999+" : badge}
          <span className="visually-hidden"> 个待处理</span>
        </span>
      )}
      {isExternalLink(item.path) && <Glyph name="external" className="menu-mark" />}
      {children}
    </>
  );
}

/** Falls back to the list icon: the menu tree may name an icon that does not exist. */
function MenuIcon({ name }: { name: string }) {
  const isThere = isIconName(name) || isIconAddress(name);
  return <SvgIcon name={isThere ? name : "list"} className="menu-icon" />;
}

function Submenu({ item, depth }: { item: MenuItem; depth: number }) {
  const { open, trail, tabStop, toggle } = use(SidebarContext);
  const isOpen = open.includes(item.path);
  const onArrow = (event: KeyboardEvent) => {
    const opens = event.key === "ArrowRight" && !isOpen;
    const closes = event.key === "ArrowLeft" && isOpen;
    if (opens || closes) toggle(item.path);
  };
  return (
    <li>
      <button
        type="button"
        className="menu-line"
        data-depth={depth}
        data-menu-path={item.path}
        data-within={trail.includes(item.path)}
        aria-expanded={isOpen}
        tabIndex={tabStop === item.path ? 0 : -1}
        onClick={() => toggle(item.path)}
        onKeyDown={onArrow}
      >
        <Line item={item} depth={depth}>
          <Glyph name="chevron" className="menu-chevron" />
        </Line>
      </button>
      <div className="menu-fold" data-open={isOpen} inert={!isOpen}>
        <ul className="sidebar-list">
          {item.children.map((child) => (
            <SidebarItem key={child.path} item={child} depth={depth + 1} />
          ))}
        </ul>
      </div>
    </li>
  );
}

/** Collapsed item: only the icon; hovering or opening it shows a flyout with the rest. */
function CollapsedItem({ item }: { item: MenuItem }) {
  const { trail, tabStop, isMobile, faultCount } = use(SidebarContext);
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLLIElement>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasBadge = [item, ...item.children].some((part) => badgeOf(part, faultCount) !== null);
  const isPage = item.children.length === 0;

  useEffect(() => () => clearTimeout(closing.current), []);
  const show = () => {
    clearTimeout(closing.current);
    setIsOpen(true);
  };
  const leave = () => {
    if (isMobile) return;
    closing.current = setTimeout(() => setIsOpen(false), CLOSE_DELAY_MS);
  };
  const onKey = (event: KeyboardEvent<HTMLLIElement>) => {
    if (event.key === "ArrowLeft" || event.key === "Escape") {
      setIsOpen(false);
      anchor.current?.querySelector<HTMLElement>("[data-menu-path]")?.focus();
    } else if (event.key === "ArrowRight" && !isPage) {
      show();
      // The flyout is mounted only after this render.
      setTimeout(() => {
        anchor.current?.querySelector<HTMLElement>("[data-flyout] [data-menu-path]")?.focus();
      });
    }
  };
  const face = (
    <>
      <MenuIcon name={item.icon} />
      {hasBadge && <span className="menu-dot" />}
      <span className="visually-hidden">{item.title}</span>
    </>
  );
  const line = {
    className: "menu-line",
    "data-menu-path": item.path,
    tabIndex: tabStop === item.path ? 0 : -1,
  };
  return (
    <li ref={anchor} onMouseEnter={show} onMouseLeave={leave} onKeyDown={onKey}>
      {isPage ? (
        <MenuAnchor {...line} path={item.path} isActive={trail.at(-1) === item.path}>
          {face}
        </MenuAnchor>
      ) : (
        <button
          {...line}
          type="button"
          data-active={trail.includes(item.path)}
          aria-expanded={isOpen}
          onClick={() => setIsOpen((was) => !was)}
        >
          {face}
        </button>
      )}
      {isOpen && <Flyout item={item} anchor={anchor} onGone={() => setIsOpen(false)} />}
    </li>
  );
}

interface FlyoutProps {
  item: MenuItem;
  anchor: RefObject<HTMLElement | null>;
  onGone: () => void;
}

function Flyout({ item, anchor, onGone }: FlyoutProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    const place = anchor.current?.getBoundingClientRect();
    if (!element || !place) return;
    element.showPopover();
    const room = window.innerHeight - element.offsetHeight - 8;
    element.style.left = `${place.right + 6}px`;
    element.style.top = `${Math.max(8, Math.min(place.top, room))}px`;
  }, [anchor]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: choosing a page by key clicks it too.
    // biome-ignore lint/a11y/noStaticElementInteractions: what it holds is interactive.
    <div
      ref={box}
      className="menu-flyout"
      popover="manual"
      data-flyout=""
      onClick={(event) => event.target instanceof Element && event.target.closest("a") && onGone()}
    >
      <p className="menu-flyout-title">{item.title}</p>
      {item.children.length > 0 && <FlyoutList items={item.children} />}
    </div>
  );
}

/** Submenus are headings here: nothing collapses. */
function FlyoutList({ items }: { items: readonly MenuItem[] }) {
  return (
    <ul className="sidebar-list">
      {items.map((item) => (
        <li key={item.path}>
          {item.children.length === 0 ? (
            <MenuLink item={item} depth={1} isTabStop />
          ) : (
            <>
              <p className="menu-flyout-heading">{item.title}</p>
              <FlyoutList items={item.children} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
