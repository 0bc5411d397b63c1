// Search in the navbar: a field-like button, an icon on a phone, Ctrl+K anywhere; the box loads lazily.
import { useEffect, useMemo, useState } from "react";
import type { SearchProps } from "../../features/orders/search/search.tsx";
import { useAhead } from "../../kit/late.ts";
import { lateDialog } from "../../ui/display/late-part.tsx";
import type { CurrentPage } from "../current-page.ts";
import { Glyph } from "../glyph.tsx";
import { inLibrary } from "../library-part.tsx";
import { searchablePages } from "./search-pages.rules.ts";
import "./search-entry.css";

const Search = lateDialog<SearchProps>(
  () => inLibrary(import("../../features/orders/search/search.tsx").then((it) => it.Search)),
  ({ open, onClose }) => (open ? onClose : null),
);

export function SearchEntry({ routes, viewer }: Pick<CurrentPage, "routes" | "viewer">) {
  const [isOpen, setIsOpen] = useState(false);
  useAhead(Search);
  const pages = useMemo(() => searchablePages(routes, viewer), [routes, viewer]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isShortcut || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // A modal dialog keeps the rest of the page out of reach, the box as well.
      if (!document.querySelector("dialog[open], .ant-modal-wrap, .ant-drawer-mask")) {
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
      <Search open={isOpen} onClose={() => setIsOpen(false)} pages={pages} />
    </>
  );
}
