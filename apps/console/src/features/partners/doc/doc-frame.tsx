// Layout of all documents: header with navigation, search, theme switch and print button.
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { Link, type Path } from "../../../kit/paths.ts";
import { useSession } from "../../../kit/session.ts";
import { toggleTheme, useIsDark } from "../../../kit/theme.ts";
import "./doc-frame.css";

const documents: { path: Path; title: string }[] = [
  { path: "/doc/sre", title: "运维文档" },
  { path: "/doc/sdk", title: "接入文档" },
];

/** Without an account only the paths of the specification (§2) open. */
const PUBLIC_REFERENCE: Path = "/doc/sdk?view=api";

export interface DocFrameProps {
  search: ReactNode;
  /** Outline of the current page. */
  outline: ReactNode;
  children: ReactNode;
}

export function DocFrame({ search, outline, children }: DocFrameProps) {
  const session = useSession();
  const isDark = useIsDark();
  const { pathname, search: query } = useLocation();
  const isReference = pathname === "/doc/api" || `${pathname}${query}` === PUBLIC_REFERENCE;
  return (
    <div className="doc">
      <a className="doc-skip" href="#doc-text">
        跳到正文
      </a>
      <header className="doc-header">
        <Link className="doc-brand" to="/">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d="M7 5.5h18v21H7zM16 5.5v21M7 12.5h9M7 19.5h9M16 16h9" />
          </svg>
          <span>智能存取系统</span>
        </Link>
        <nav className="doc-documents" aria-label="文档">
          {documents.map(({ path, title }) => (
            <Link
              key={path}
              to={path}
              aria-current={path === pathname && !isReference ? "page" : undefined}
            >
              {title}
            </Link>
          ))}
          <Link
            to={session ? "/doc/api" : PUBLIC_REFERENCE}
            aria-current={isReference ? "page" : undefined}
          >
            接口参考
          </Link>
        </nav>
        {search}
        <div className="doc-tools">
          <button type="button" className="doc-tool" onClick={toggleTheme}>
            {isDark ? "浅色" : "深色"}
          </button>
          <button type="button" className="doc-tool doc-print" onClick={() => window.print()}>
            打印
          </button>
          <Link className="doc-tool" to={session ? "/" : "/login"}>
            {session ? "控制台" : "登录"}
          </Link>
        </div>
      </header>
      <div className="doc-body">
        {outline}
        <main id="doc-text" className="doc-text" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
}
