// Popup menu at a point of the window, for the user and for a tab.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import "./popup-menu.css";

interface PopupItem {
  key: string;
  label: ReactNode;
  run: () => void;
}

export interface PopupMenuProps {
  label: string;
  items: readonly PopupItem[];
  /** In pixels of the window; the menu is kept inside it. */
  at: { x: number; y: number };
  /** Edge of the menu that is at `x`. */
  align?: "left" | "right";
  onClose: () => void;
}

export function PopupMenu({ label, items, at, align = "left", onClose }: PopupMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const { x, y } = at;
  useEffect(() => {
    const element = menu.current;
    if (!element) return;
    const before = document.activeElement;
    element.showPopover();
    const left = align === "left" ? x : x - element.offsetWidth;
    const room = {
      x: innerWidth - element.offsetWidth - 8,
      y: innerHeight - element.offsetHeight - 8,
    };
    element.style.left = `${Math.max(8, Math.min(left, room.x))}px`;
    element.style.top = `${Math.max(8, Math.min(y, room.y))}px`;
    element.querySelector("button")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [x, y, align]);

  useEffect(() => {
    const outside = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) onClose();
    };
    addEventListener("pointerdown", outside, true);
    addEventListener("resize", onClose);
    addEventListener("blur", onClose);
    return () => {
      removeEventListener("pointerdown", outside, true);
      removeEventListener("resize", onClose);
      removeEventListener("blur", onClose);
    };
  }, [onClose]);

  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      onClose();
      return;
    }
    const buttons = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = buttons.findIndex((button) => button.matches(":focus"));
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };

  return (
    <div
      ref={menu}
      className="popup-menu"
      popover="manual"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKey}
    >
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onClose();
            item.run();
          }}
        >
          {item.label}
        </button>
      ))}
    </div>
  );
}
