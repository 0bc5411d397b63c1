// Chart of text messages by day.
import type { SmsDay } from "@cabinet/contract/messaging/sms/sms-statistics.contract.ts";
import { shortDay, TrendPanel, unfinishedDay } from "../../../domain/trend-panel.tsx";
import { formatNumber } from "../../../kit/format.ts";
import type { Trend } from "../../../ui/chart/chart.rules.ts";

const views = [
  ["outcome", "发送结果"],
  ["use", "使用条数"],
] as const;
type View = (typeof views)[number][0];

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
          { ...line("已送达", ({ delivered }) => delivered), tone: "good" as const },
          { ...line("失败", ({ failed }) => failed), tone: "bad" as const },
        ];
  return {
    points,
    series,
    format: (value) => `${formatNumber(value)} 条`,
    formatAxis: formatNumber,
    unfinished: unfinishedDay(days),
  };
}

export function SmsTrend({ days }: { days: readonly SmsDay[] | undefined }) {
  return <TrendPanel views={views} trendOf={(view: View) => trendOf(view, days)} />;
}
