// Layout of all documents: header with navigation, search, theme switch and print button.
import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router";
import { type DocLanguage, rememberDocLanguage } from "../../../kit/doc-language.ts";
import { Link, type Path } from "../../../kit/paths.ts";
import { useSession } from "../../../kit/session.ts";
import { toggleTheme, useIsDark } from "../../../kit/theme.ts";
import { docTexts } from "./doc-texts.ts";
import "../../../ui/display/basics.css";
import "./doc-frame.css";

/** Without an account only the paths of the specification (§2) open. */
const PUBLIC_REFERENCE = "/doc/sdk?view=api";

export interface DocFrameProps {
  language: DocLanguage;
  /** Number of the heading being read, which the other language has too. */
  heading?: number;
  search: ReactNode;
  /** Outline of the current page. */
  outline: ReactNode;
  children: ReactNode;
}

export function DocFrame({ language, heading, search, outline, children }: DocFrameProps) {
  const session = useSession();
  const isDark = useIsDark();
  const { pathname, search: query, hash } = useLocation();
  const isEnglish = language === "en";
  const texts = docTexts[language];
  const isPublicReference = new URLSearchParams(query).get("view") === "api";
  const isReference = pathname === "/doc/api" || isPublicReference;
  const documents: { path: Path; title: string; isCurrent: boolean }[] = [
    ...(session
      ? [
          {
            path: "/doc/manual",
            title: texts.manual,
            isCurrent: pathname === "/doc/manual",
          } as const,
        ]
      : []),
    { path: "/doc/sre", title: texts.operations, isCurrent: pathname === "/doc/sre" },
    {
      path: isEnglish ? "/doc/sdk?lang=en" : "/doc/sdk",
      title: texts.integration,
      isCurrent: pathname === "/doc/sdk" && !isReference,
    },
  ];
  const other = isEnglish ? "zh" : "en";
  const publicReference: Path = isEnglish ? `${PUBLIC_REFERENCE}&lang=en` : PUBLIC_REFERENCE;
  return (
    <div className="doc" lang={isEnglish ? "en" : undefined}>
      <LanguageInUrl language={language} />
      <a className="doc-skip" href="#doc-text">
        {texts.skip}
      </a>
      <header className="doc-header">
        <Link className="doc-brand" to="/">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d="M7 5.5h18v21H7zM16 5.5v21M7 12.5h9M7 19.5h9M16 16h9" />
          </svg>
          <span>智能存取系统</span>
        </Link>
        <nav className="doc-documents ui-sideways" aria-label={texts.documents}>
          {documents.map(({ path, title, isCurrent }) => (
            <Link key={path} to={path} aria-current={isCurrent ? "page" : undefined}>
              {title}
            </Link>
          ))}
          <Link
            to={session && !isEnglish ? "/doc/api" : publicReference}
            aria-current={isReference ? "page" : undefined}
          >
            {texts.reference}
          </Link>
        </nav>
        {search}
        <div className="doc-tools">
          {pathname === "/doc/sdk" && (
            <Link
              className="doc-tool"
              lang={isEnglish ? "zh-CN" : "en"}
              // Headings have other anchors in the other language; calls have the same.
              to={isPublicReference ? `?view=api&lang=${other}${hash}` : `?lang=${other}`}
              state={{ heading }}
              onClick={() => rememberDocLanguage(other)}
            >
              {isEnglish ? "中文" : "English"}
            </Link>
          )}
          <button type="button" className="doc-tool" onClick={toggleTheme}>
            {isDark ? texts.light : texts.dark}
          </button>
          <button type="button" className="doc-tool doc-print" onClick={() => window.print()}>
            {texts.print}
          </button>
          <Link className="doc-tool" to={session ? "/" : "/login"}>
            {session ? texts.console : texts.signIn}
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

/** A link that somebody copies shows its reader the same language, also when it came from the choice of before. */
function LanguageInUrl({ language }: { language: DocLanguage }) {
  const { search, hash, state } = useLocation();
  const params = new URLSearchParams(search);
  if (language === "zh" || params.has("lang")) return null;
  params.set("lang", language);
  return <Navigate to={{ search: `?${params}`, hash }} state={state} replace />;
}
