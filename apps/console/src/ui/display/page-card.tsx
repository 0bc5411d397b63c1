// Card that contains a page's content.
import type { ReactNode } from "react";
import "./page-card.css";

export interface PageCardProps {
  title?: ReactNode;
  /** Right of the title. */
  extra?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function PageCard({ title, extra, className, children }: PageCardProps) {
  return (
    <section className={className ? `ui-card ${className}` : "ui-card"}>
      {(title || extra) && (
        <header className="ui-card-head">
          <h2 className="ui-card-title">{title}</h2>
          {extra}
        </header>
      )}
      {children}
    </section>
  );
}
