// How text messages went, day by day.
import type { SmsDay } from "@cabinet/contract/sms/sms-statistics.contract.ts";
import { dayOf } from "@cabinet/contract/statistics/statistics.rules.ts";
import { useState } from "react";
import { formatNumber } from "../../kit/format.ts";
import type { Trend } from "../../ui/chart.rules.ts";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { TrendChart } from "../../ui/trend-chart.tsx";

const views = [
  ["outcome", "发送结果"],
  ["use", "使用条数"],
] as const;
type View = (typeof views)[number][0];

/** `11-21`; a day that is not over is named. */
const shortDay = (day: string) => (day === dayOf(Date.now()) ? "今天" : day.slice(5));

function trendOf(view: View, days: readonly SmsDay[] | undefined): Trend {
  const points = days?.map(({ day }) => shortDay(day));
  const line = (name: string, figureOf: (day: SmsDay) => number) => ({
    name,
    values: days?.map(figureOf) ?? [],
  });
  const series =
    view === "use"
      ? [{ ...line("使用条数", ({ usedSegments }) => usedSegments), kind: "bar" as const }]
      : [
          line("写入", ({ written }) => written),
          line("已送达", ({ delivered }) => delivered),
          line("失败", ({ failed }) => failed),
        ];
  return {
    points,
    series,
    format: (value) => `${formatNumber(value)} 条`,
    formatAxis: formatNumber,
  };
}

export function SmsTrend({ days }: { days: readonly SmsDay[] | undefined }) {
  const [view, setView] = useState<View>("outcome");
  const title = views.find(([word]) => word === view)?.[1] ?? "";
  return (
    <section className="sms-panel" aria-label="趋势">
      <header>
        <h2>趋势</h2>
        <ChoiceBar label="趋势内容" choices={views} chosen={view} onChoose={setView} />
      </header>
      <TrendChart key={view} label={`每天的${title}`} {...trendOf(view, days)} />
    </section>
  );
}
