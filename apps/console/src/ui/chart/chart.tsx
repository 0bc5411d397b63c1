// Chart with its figures as a table for screen readers.
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { whenIdleAfterPagePrefetch } from "../../kit/idle.ts";
import { type Late, useLate } from "../../kit/late.ts";
import { useIsDark } from "../../kit/theme.ts";
import { Boundary } from "../display/boundary.tsx";
import { LateLine } from "../display/late-part.tsx";
import type { ChartColors, ChartTable, Drawing } from "./chart.rules.ts";
import "./chart.css";

/** Lazily loaded drawing module, shared by all charts of one kind. */
interface Engine {
  startDrawing: (element: HTMLElement) => Drawing;
}

export interface ChartProps<Loaded extends Engine> {
  /** Accessible name of the chart. */
  label: string;
  className?: string;
  engine: Late<Loaded>;
  /** Undefined while loading. */
  table: ChartTable | undefined;
  option: (engine: Loaded, colors: ChartColors) => object;
  /** Shown when there is nothing to draw. */
  empty?: ReactNode;
  /** Loads the engine when the browser is idle, after the pages that are probably opened next. */
  isPatient?: boolean | undefined;
}

export function Chart<Loaded extends Engine>(props: ChartProps<Loaded>) {
  return (
    <Boundary>
      <DrawnChart {...props} />
    </Boundary>
  );
}

function DrawnChart<Loaded extends Engine>(props: ChartProps<Loaded>) {
  const { label, className, table, empty, isPatient = false } = props;
  const box = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  const [isDue, setIsDue] = useState(!isPatient);
  const { module: engine, failure, retry } = useLate(props.engine, isDue);
  const isEmpty = empty !== undefined && table?.rows.length === 0;
  const optionOf = useEffectEvent((loaded: Loaded, colors: ChartColors) =>
    props.option(loaded, colors),
  );
  const shown = JSON.stringify(table);

  useEffect(() => {
    if (!isDue) whenIdleAfterPagePrefetch(() => setIsDue(true));
  }, [isDue]);

  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [isDrawn, setIsDrawn] = useState(false);
  useEffect(() => {
    if (!engine || !box.current || isEmpty) return;
    const started = engine.startDrawing(box.current);
    setDrawing(started);
    return () => {
      started.stop();
      setDrawing(null);
      setIsDrawn(false);
    };
  }, [engine, isEmpty]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the figures and the theme are what is drawn.
  useEffect(() => {
    if (!drawing || !engine || !table) return;
    // In a task of its own: the charts of one page would block it together.
    const timer = setTimeout(() => {
      drawing.draw((colors) => optionOf(engine, colors));
      setIsDrawn(true);
    });
    return () => clearTimeout(timer);
  }, [drawing, engine, shown, isDark, label]);

  return (
    <figure className={className ? `ui-chart ${className}` : "ui-chart"}>
      {/* Two elements instead of one that changes: ECharts empties the element that it drew in. */}
      {isEmpty ? (
        <div key="empty" className="ui-chart-empty">
          {empty}
        </div>
      ) : (
        <div key="box" ref={box} className="ui-chart-box" aria-hidden="true" data-busy={!isDrawn} />
      )}
      {failure && (
        <div className="ui-chart-empty">
          <LateLine failure={failure} retry={retry} />
        </div>
      )}
      {table && (
        <table className="visually-hidden">
          <caption>{label}</caption>
          <thead>
            <tr>
              {table.head.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((cells) => (
              <tr key={cells[0]}>
                {cells.map((cell, index) =>
                  index === 0 ? (
                    <th key={table.head[index]} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={table.head[index]}>{cell}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </figure>
  );
}
