// Figure cards, trends and the list below figures.
import { useState } from "react";
import { TrendPanel } from "../../src/domain/trend-panel.tsx";
import type { Trend } from "../../src/ui/chart/chart.rules.ts";
import { FigureCards } from "../../src/ui/chart/figure-cards.tsx";
import { TrendChart } from "../../src/ui/chart/trend-chart.tsx";
import type { Parts, State } from "../state.ts";

const days = Array.from({ length: 14 }, (_, index) => `11-${index + 8}`);
const orders = { name: "订单", values: days.map((_, index) => 40 + ((index * 13) % 17)) };
const refunds = { name: "退款", values: days.map((_, index) => (index * 5) % 7) };

const trend = (change: Partial<Trend>): State => {
  const usual = {
    points: days,
    series: [orders, refunds],
    format: (value: number) => `${value} 单`,
  };
  return { show: () => <TrendChart label="每天的订单" {...usual} {...change} /> };
};

/** Ninety days, the last of which grows when the button is pressed. */
function Growing() {
  const [last, setLast] = useState(3);
  const points = Array.from({ length: 90 }, (_, index) => `第 ${index + 1} 天`);
  const values = points.map((_, index) => (index === 89 ? last : 20 + ((index * 13) % 17)));
  return (
    <>
      <button type="button" onClick={() => setLast(last + 1)}>
        新订单
      </button>
      <TrendChart
        label="每天的订单"
        points={points}
        series={[{ name: "订单", values }]}
        format={String}
      />
    </>
  );
}

const figures = [
  { title: "订单", meaning: "今天创建的订单", value: 48, note: "比昨天多 5", tone: "good" },
  { title: "退款", meaning: "今天的退款", value: 3, note: "比昨天多 2", tone: "bad" },
  { title: "在线设备", meaning: "现在在线的设备", value: "12 / 14" },
] as const;

export const chartParts: Parts = {
  "figure-cards": {
    figures: { show: () => <FigureCards label="今天" figures={figures} /> },
    loading: {
      show: () => (
        <FigureCards
          label="今天"
          figures={figures.map((figure) => ({ ...figure, value: undefined }))}
        />
      ),
    },
  },
  "trend-chart": {
    lines: trend({}),
    unfinished: trend({ unfinished: "今日未结束" }),
    bars: trend({ series: [{ ...orders, kind: "bar" }] }),
    tones: trend({
      series: [
        { ...orders, tone: "good" },
        { ...refunds, tone: "bad" },
      ],
    }),
    long: { show: Growing },
    empty: trend({ series: [{ ...orders, values: days.map(() => 0) }] }),
    loading: trend({ points: undefined, series: [] }),
  },
  "trend-panel": {
    views: {
      show: () => (
        <TrendPanel
          views={[
            ["orders", "订单"],
            ["refunds", "退款"],
          ]}
          trendOf={(view) => ({
            points: days,
            series: [view === "orders" ? orders : refunds],
            format: String,
          })}
        />
      ),
    },
  },
};
