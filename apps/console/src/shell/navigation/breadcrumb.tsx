// Breadcrumb in the navbar.
import { Link } from "../../kit/link.tsx";
import type { Crumb } from "./breadcrumb.rules.ts";

export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav className="breadcrumb" aria-label="面包屑">
      <ol>
        {crumbs.map(({ path, title, isLink }, index) => (
          <li key={path} {...(index === crumbs.length - 1 && { "aria-current": "page" })}>
            {isLink ? <Link to={path}>{title}</Link> : <span>{title}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
