// Line or bar chart of figures over days or hours in one unit, with a legend.
import { late } from "../../kit/late.ts";
import { colorNo, pointTitle, type Trend } from "./chart.rules.ts";
import { Chart } from "./chart.tsx";
import "./trend-chart.css";

export interface TrendChartProps extends Trend {
  label: string;
  empty?: string;
  className?: string;
  isPatient?: boolean;
}

const trendEngine = late(() => import("./trend-engine.ts"));

export function TrendChart(props: TrendChartProps) {
  const { label, points, series, format, empty = "这段时间没有数据", className } = props;
  const { unfinished } = props;
  const isNothing = series.every(({ values }) => values.every((value) => value === 0));
  const rows = points?.map((_, index) => [
    pointTitle(props, index),
    ...series.map(({ values }) => format(values[index] ?? 0)),
  ]);
  return (
    <div className={className ? `ui-trend ${className}` : "ui-trend"}>
      <p className="ui-trend-legend" aria-hidden="true">
        {series.length > 1 &&
          series.map((one, index) => (
            <span key={one.name} data-color={colorNo(one, index)} data-kind={one.kind ?? "line"}>
              {one.name}
            </span>
          ))}
        {unfinished && !isNothing && (
          <span
            data-kind={series.every(({ kind }) => kind === "bar") ? "bar" : "line"}
            data-unfinished
          >
            {unfinished}
          </span>
        )}
      </p>
      <Chart
        label={label}
        engine={trendEngine}
        table={
          rows && {
            head: ["时间", ...series.map(({ name }) => name)],
            rows: isNothing ? [] : rows,
          }
        }
        option={(engine, colors) => engine.trendOption(props, colors)}
        empty={empty}
        isPatient={props.isPatient}
      />
    </div>
  );
}
