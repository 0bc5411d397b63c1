// Popup menu at a place of the window, mounted while it is open: of the user, of a tab, of a row.
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { Align, Box } from "./popup-place.rules.ts";
import { useTypeAhead } from "./type-ahead.ts";
import { usePopup } from "./use-popup.ts";
import "./popup-menu.css";

export interface PopupItem {
  key: string;
  label: ReactNode;
  /** Why the item is unavailable now; shown below its label. */
  blocked?: string | undefined;
  isDanger?: boolean | undefined;
  run: () => void;
}

export interface PopupMenuProps {
  label: string;
  /** Shown above the items. */
  heading?: string;
  items: readonly PopupItem[];
  /** The menu is beside it, inside the window; null: no longer there. */
  anchorOf: () => Box | null;
  /** A press on it does not close the menu, because it does so itself. */
  opener?: HTMLElement | null;
  align?: Align;
  onClose: () => void;
}

const STEPS: Readonly<Record<string, (at: number, end: number) => number>> = {
  ArrowDown: (at, end) => (at >= end ? 0 : at + 1),
  ArrowUp: (at, end) => (at <= 0 ? end : at - 1),
  Home: () => 0,
  End: (_, end) => end,
};

function focusOn({ current }: RefObject<Element | null>): void {
  if (current instanceof HTMLElement && current.isConnected) current.focus();
}

export function PopupMenu(props: PopupMenuProps) {
  const { label, heading, items, anchorOf, opener, align = "left", onClose } = props;
  const menu = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  const typeAhead = useTypeAhead();
  usePopup(menu, anchorOf, align);

  useEffect(() => {
    before.current = document.activeElement;
    const element = menu.current;
    element?.querySelector("button")?.focus();
    return () => {
      const { activeElement } = document;
      if (activeElement === document.body || element?.contains(activeElement)) focusOn(before);
    };
  }, []);

  useEffect(() => {
    const outside = ({ target }: Event) => {
      if (!(target instanceof Node)) return;
      if (!menu.current?.contains(target) && !opener?.contains(target)) onClose();
    };
    addEventListener("pointerdown", outside, true);
    addEventListener("blur", onClose);
    return () => {
      removeEventListener("pointerdown", outside, true);
      removeEventListener("blur", onClose);
    };
  }, [onClose, opener]);

  const onKey = (event: KeyboardEvent) => {
    const { key } = event;
    const buttons = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = buttons.findIndex((button) => button.matches(":focus"));
    const isText = key.length === 1 && key !== " " && !event.ctrlKey && !event.metaKey;
    if (key === "Escape" || key === "Tab") {
      focusOn(before);
      onClose();
    } else if (STEPS[key]) {
      buttons[STEPS[key](at, buttons.length - 1)]?.focus();
    } else if (isText) {
      buttons[
        typeAhead(
          key,
          buttons.map(({ textContent }) => textContent ?? ""),
          at,
        )
      ]?.focus();
    } else {
      return;
    }
    event.preventDefault();
    // A dialog around the menu stays open.
    event.stopPropagation();
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
      {heading && <p className="popup-menu-heading">{heading}</p>}
      {items.map(({ key, label: text, blocked, isDanger, run }) => (
        <button
          key={key}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-disabled={blocked !== undefined}
          data-danger={isDanger}
          onClick={() => {
            if (blocked !== undefined) return;
            // First: a dialog that opens now returns the focus to the opener.
            focusOn(before);
            onClose();
            run();
          }}
        >
          {text}
          {blocked && <small className="popup-menu-blocked">{blocked}</small>}
        </button>
      ))}
    </div>
  );
}
