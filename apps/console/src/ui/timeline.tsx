// What happened to one thing in one line of time: what, when, by whom, and what came of it.
import type { ReactNode } from "react";
import { formatDateTime } from "../kit/format.ts";
import "./timeline.css";

export function Timeline({ children }: { children: ReactNode }) {
  return <ol className="ui-timeline">{children}</ol>;
}

export interface TimelineItemProps {
  /** Where it comes from. */
  source: string;
  title: string;
  at: string;
  /** Behind the title: what it led to, what it cost. */
  extra?: ReactNode;
  note?: string | undefined;
  isProblem?: boolean;
  children?: ReactNode;
}

export function TimelineItem(props: TimelineItemProps) {
  const { source, title, at, extra, note, isProblem = false, children } = props;
  return (
    <li data-problem={isProblem}>
      <span className="ui-timeline-line">
        <i>{source}</i>
        <b>{title}</b>
        {extra && <span>{extra}</span>}
        <time dateTime={at}>{formatDateTime(at)}</time>
      </span>
      {note && <span className="ui-timeline-note">{note}</span>}
      {children}
    </li>
  );
}
