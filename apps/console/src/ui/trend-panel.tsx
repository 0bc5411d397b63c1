// A trend day by day, under the choice of what it shows.
import { dayOf } from "@cabinet/contract/statistics/statistics.rules.ts";
import { useState } from "react";
import type { Trend } from "./chart.rules.ts";
import { ChoiceBar } from "./choice-bar.tsx";
import { TrendChart } from "./trend-chart.tsx";
import "./panel.css";

/** `11-21`; a day that is not over is named. */
export const shortDay = (day: string) => (day === dayOf(Date.now()) ? "今天" : day.slice(5));

/** For the chart of these days: `今日未结束` where the last of them is today. */
export const unfinishedDay = (days: readonly { day: string }[] | undefined) =>
  days?.at(-1)?.day === dayOf(Date.now()) ? "今日未结束" : undefined;

interface TrendPanelProps<View extends string> {
  /** The first is shown first. */
  views: readonly [readonly [View, string], ...(readonly [View, string])[]];
  trendOf: (view: View) => Trend;
}

export function TrendPanel<View extends string>({ views, trendOf }: TrendPanelProps<View>) {
  const [view, setView] = useState<View>(views[0][0]);
  const title = views.find(([word]) => word === view)?.[1] ?? "";
  return (
    <section className="ui-panel" aria-label="趋势">
      <header>
        <h2>趋势</h2>
        <ChoiceBar label="趋势内容" choices={views} chosen={view} onChoose={setView} />
      </header>
      <TrendChart key={view} label={`每天的${title}`} {...trendOf(view)} />
    </section>
  );
}
