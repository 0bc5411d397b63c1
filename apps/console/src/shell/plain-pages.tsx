// Pages without content of their own: no permission, unknown path, redirects.
import { useId } from "react";
import { Navigate, useLocation } from "react-router";
import { Link } from "../kit/link.tsx";
import { useIsImpersonating } from "../kit/session.ts";
import { useDocumentTitle } from "./document-title.ts";
import { HOME_PATH, redirectTarget, unknownTarget } from "./guard.rules.ts";
import type { MenuItem } from "./navigation/menu.rules.ts";
import "./page-loading.css";

const OWN_SETTINGS_PATH = "/settings/index";

/** Shown instead of a page that the account may not open; `first` is a page that it may open. */
export function NotGrantedPage({
  title,
  first: open,
}: {
  title: string;
  first: MenuItem | undefined;
}) {
  const id = useId();
  const isImpersonating = useIsImpersonating();
  const { pathname } = useLocation();
  // Sign-in leads to home; an account without access to home starts at its first page.
  if (pathname === HOME_PATH && open && open.path !== OWN_SETTINGS_PATH) {
    return <Navigate to={open.path} replace />;
  }
  return (
    <section className="page-message" aria-labelledby={id}>
      <h2 id={id}>没有权限访问“{title}”</h2>
      <p>
        {isImpersonating
          ? "该租户没有这项功能，或只读查看时不能使用；如需使用，请先退出查看。"
          : "您的角色没有这项功能，或刚刚被调整；如需使用，请联系管理员。"}
      </p>
      {open && <Link to={open.path}>前往{open.title}</Link>}
    </section>
  );
}

export function NotFoundPage() {
  useDocumentTitle("404");
  return (
    <main className="page-message">
      <h1>404：页面不存在</h1>
      <p>地址可能已变更，请从首页重新进入。</p>
      <Link to="/">回到首页</Link>
    </main>
  );
}

/** Path that is not in the route table (specification §2). */
export function UnknownPage() {
  const { pathname, search } = useLocation();
  return <Navigate to={unknownTarget({ path: pathname, search })} replace />;
}

/** Reloads the page /redirect/{path*} by leaving it and navigating back. */
export function RedirectPage() {
  const { pathname, search } = useLocation();
  return <Navigate to={`${redirectTarget(pathname)}${search}`} replace />;
}
