// Daily trend with a choice of views.
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { useState } from "react";
import type { Trend } from "../ui/chart/chart.rules.ts";
import { TrendChart } from "../ui/chart/trend-chart.tsx";
import { ChoiceBar } from "../ui/form/choice-bar.tsx";
import "../ui/display/panel.css";

/** Formats a day as `11-21`; the present day, which is unfinished, as 今天. */
export const shortDay = (day: string) => (day === shanghaiDay(Date.now()) ? "今天" : day.slice(5));

/** Chart note `今日未结束` if the last of these days is today. */
export const unfinishedDay = (days: readonly { day: string }[] | undefined) =>
  days?.at(-1)?.day === shanghaiDay(Date.now()) ? "今日未结束" : undefined;

interface TrendPanelProps<View extends string> {
  /** The first view is the initial one. */
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
