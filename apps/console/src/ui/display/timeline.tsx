// Timeline of one record: event, time, actor and result.
import type { ReactNode } from "react";
import { formatDateTime } from "../../kit/format.ts";
import "./timeline.css";

export function Timeline({ children }: { children: ReactNode }) {
  return <ol className="ui-timeline">{children}</ol>;
}

export interface TimelineItemProps {
  /** Source of the entry. */
  source: string;
  title: string;
  at: string;
  /** Shown behind the title: result or cost. */
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
