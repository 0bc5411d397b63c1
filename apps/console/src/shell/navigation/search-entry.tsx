// Search in the navbar: a field-like button, an icon on a phone, Ctrl+K anywhere; the box loads lazily.
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import type { CurrentPage } from "../current-page.ts";
import { Glyph } from "../glyph.tsx";
import { searchablePages } from "./search-pages.rules.ts";
import "./search-entry.css";

const loadSearch = () =>
  Promise.all([import("../antd-provider.tsx"), import("../../features/orders/search/search.tsx")]);

const Search = lazy(async () => {
  const [{ AntdProvider }, { Search: Box }] = await loadSearch();
  return {
    default: (props: Parameters<typeof Box>[0]) => (
      <AntdProvider>
        <Box {...props} />
      </AntdProvider>
    ),
  };
});

export function SearchEntry({ routes, viewer }: Pick<CurrentPage, "routes" | "viewer">) {
  const [stage, setStage] = useState<"untouched" | "open" | "closed">("untouched");
  const pages = useMemo(() => searchablePages(routes, viewer), [routes, viewer]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isShortcut || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // A modal dialog keeps the rest of the page out of reach, the box as well.
      if (!document.querySelector("dialog[open], .ant-modal-wrap, .ant-drawer-mask")) {
        setStage("open");
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
        onPointerEnter={() => void loadSearch()}
        onClick={() => setStage("open")}
      >
        <Glyph name="search" />
        <span>搜索手机号、订单、设备</span>
      </button>
      {stage !== "untouched" && (
        <Suspense fallback={null}>
          <Search open={stage === "open"} onClose={() => setStage("closed")} pages={pages} />
        </Suspense>
      )}
    </>
  );
}
