// Panel of the big screen: title, age of the figures and empty state.
import { type ReactNode, useId } from "react";
import { Age } from "../../../ui/display/status.tsx";

interface PanelProps {
  area: string;
  title: string;
  /** Time of the figures; null: not shown. */
  at: string | null;
  /** Label before `at`: 更新于, 采样于. */
  atText?: string;
  children: ReactNode;
}

export function Panel({ area, title, at, atText = "更新于", children }: PanelProps) {
  const id = useId();
  return (
    <section className="screen-panel" data-area={area} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {at && (
          <small>
            {atText} <Age time={at} />
          </small>
        )}
      </header>
      {children}
    </section>
  );
}

interface LinesProps<Row> {
  rows: readonly Row[] | undefined;
  empty: string;
  children: (row: Row) => ReactNode;
}

export function Lines<Row>({ rows, empty, children }: LinesProps<Row>) {
  if (!rows) return <p className="screen-none">正在加载…</p>;
  if (rows.length === 0) return <p className="screen-none">{empty}</p>;
  return <ul className="screen-lines">{rows.map(children)}</ul>;
}
