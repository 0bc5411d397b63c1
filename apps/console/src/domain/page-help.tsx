// `?` at a page's head: opens the page's section of the manual in a new tab, so that no input is lost.
import { useLocation } from "react-router";
import { helpAnchorOf } from "./page-help.rules.ts";
import "./page-help.css";

export function PageHelp() {
  const { pathname, search } = useLocation();
  const anchor = helpAnchorOf(pathname, search);
  if (anchor === null) return null;
  return (
    <a
      className="page-help"
      href={`/doc/manual#${anchor}`}
      target="_blank"
      rel="noopener"
      aria-label="本页帮助（新标签页）"
      title="本页帮助"
    >
      ?
    </a>
  );
}
