// Chart of orders or income by day.
import type { DayFigures } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  openShare,
  overdueShare,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { shortDay, TrendPanel, unfinishedDay } from "../../../domain/trend-panel.tsx";
import { formatMoney, formatNumber, formatShare } from "../../../kit/format.ts";
import type { Trend } from "../../../ui/chart/chart.rules.ts";

const views = [
  ["orders", "订单"],
  ["income", "收入"],
  ["quality", "滞留与开门"],
] as const;
type View = (typeof views)[number][0];

function trendOf(view: View, days: readonly DayFigures[] | undefined): Trend {
  const points = days?.map(({ day }) => shortDay(day));
  const unfinished = unfinishedDay(days);
  const line = (name: string, figureOf: (day: DayFigures) => number) => ({
    name,
    values: days?.map(figureOf) ?? [],
  });
  switch (view) {
    case "orders":
      return {
        ...{ points, unfinished },
        series: [
          line("创建", ({ started }) => started),
          line("完成", ({ completed }) => completed),
          line("滞留", ({ overdue }) => overdue),
        ],
        format: (value) => `${formatNumber(value)} 单`,
        formatAxis: formatNumber,
      };
    case "income":
      return {
        ...{ points, unfinished },
        series: [
          { ...line("支付", ({ incomeFen }) => incomeFen), kind: "bar" },
          { ...line("退款", ({ refundFen }) => refundFen), kind: "bar" },
        ],
        format: formatMoney,
        formatAxis: (fen) => `¥${formatNumber(Math.round(fen / 100))}`,
      };
    case "quality":
      return {
        ...{ points, unfinished },
        series: [
          line("滞留率", (day) => overdueShare(day) ?? 0),
          line("开门失败率", (day) => 1 - (openShare(day) ?? 1)),
        ],
        format: formatShare,
      };
  }
}

export function IncomeTrend({ days }: { days: readonly DayFigures[] | undefined }) {
  return <TrendPanel views={views} trendOf={(view: View) => trendOf(view, days)} />;
}
