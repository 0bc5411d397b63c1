// Search in the navbar: a field-like button, an icon on a phone, Ctrl+K anywhere; the box loads lazily.
import { useEffect, useMemo, useState } from "react";
import type { SearchProps } from "../../features/orders/search/search.tsx";
import { useAhead } from "../../kit/late.ts";
import { lateDialog } from "../../ui/display/late-part.tsx";
import type { CurrentPage } from "../current-page.ts";
import { Glyph } from "../glyph.tsx";
import { inLibrary } from "../library-part.tsx";
import { searchableActions } from "./search-actions.rules.ts";
import { searchablePages } from "./search-pages.rules.ts";
import "./search-entry.css";

const Search = lateDialog<SearchProps>(
  () => inLibrary(import("../../features/orders/search/search.tsx").then((it) => it.Search)),
  ({ open, onClose }) => (open ? onClose : null),
);

/** Keys between the shortcut and the box, whose file may still be on its way. */
let typed = "";
let stopTyping: (() => void) | null = null;

function collectKeys(): void {
  stopTyping?.();
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Backspace") typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("keydown", onKey, true);
  stopTyping = () => removeEventListener("keydown", onKey, true);
  // Without its file, keys belong to the question that says so.
  Search.load().catch(takeTyped);
}

function takeTyped(): string {
  stopTyping?.();
  const text = typed;
  typed = "";
  return text;
}

export function SearchEntry({ routes, viewer }: Pick<CurrentPage, "routes" | "viewer">) {
  const [isOpen, setIsOpen] = useState(false);
  useAhead(Search);
  const pages = useMemo(() => searchablePages(routes, viewer), [routes, viewer]);
  const actions = useMemo(() => searchableActions(routes, viewer), [routes, viewer]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isShortcut || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // A modal dialog keeps the rest of the page out of reach, the box as well.
      if (!document.querySelector("dialog[open], .ant-modal-wrap, .ant-drawer-mask")) {
        collectKeys();
        setIsOpen(true);
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className="navbar-search"
        // The visible words, which an icon stands for on a narrow screen.
        aria-label="搜索手机号、订单、设备"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        title="搜索（Ctrl+K）"
        // Opening it reports a failure.
        onPointerEnter={() => void Search.load().catch(() => null)}
        onClick={() => setIsOpen(true)}
      >
        <Glyph name="search" />
        <span>搜索手机号、订单、设备</span>
      </button>
      <Search open={isOpen} onClose={() => setIsOpen(false)} {...{ pages, actions, takeTyped }} />
    </>
  );
}
