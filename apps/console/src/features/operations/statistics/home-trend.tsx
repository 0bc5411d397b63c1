// Trend of the last weeks on the home page, by side; the chart loads after the cards.
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { HOME_TREND_DAYS } from "@cabinet/contract/operations/statistics/home-screen.contract.ts";
import type { DayFigures } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { netFen } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { type ReactNode, useId, useState } from "react";
import { shortDay, unfinishedDay } from "../../../domain/trend-panel.tsx";
import { formatMoney, formatNumber } from "../../../kit/format.ts";
import { TrendChart } from "../../../ui/chart/trend-chart.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { refreshIncome, useTendency } from "./income-calls.ts";
import { NotFetched } from "./not-fetched.tsx";

const figures = {
  orders: {
    title: "订单",
    of: (day: DayFigures) => day.started,
    format: (value: number) => `${formatNumber(value)} 单`,
    formatAxis: formatNumber as (value: number) => string,
  },
  income: {
    title: "净收入",
    of: netFen,
    format: formatMoney as (value: number) => string,
    formatAxis: (fen: number) => `¥${formatNumber(Math.round(fen / 100))}`,
  },
} as const;
type FigureName = keyof typeof figures;

export function HomeTrend({ tenantId }: { tenantId: number | undefined }) {
  const id = useId();
  const [days, setDays] = useState<7 | 30>(HOME_TREND_DAYS);
  const [name, setName] = useState<FigureName>("orders");
  const today = shanghaiDay(Date.now());
  const period = { from: addDays(today, 1 - days), to: today, ...(tenantId && { tenantId }) };
  const single = useTendency("SINGLE", period);
  const double = useTendency("DOUBLE", period);
  useLiveRefresh("order", refreshIncome, { pace: "calm" });
  const figure = figures[name];
  const hasFailed = single.error ?? double.error;
  return (
    <section className="dashboard-panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{figure.title}趋势</h2>
        <div className="dashboard-choices">
          <Choice isChosen={name === "orders"} onChoose={() => setName("orders")}>
            订单
          </Choice>
          <Choice isChosen={name === "income"} onChoose={() => setName("income")}>
            净收入
          </Choice>
          <i />
          <Choice isChosen={days === 7} onChoose={() => setDays(7)}>
            近 7 天
          </Choice>
          <Choice isChosen={days === 30} onChoose={() => setDays(30)}>
            近 30 天
          </Choice>
        </div>
      </header>
      {hasFailed && !(single.data && double.data) ? (
        <NotFetched onRetry={refreshIncome} />
      ) : (
        <TrendChart
          key={`${name} ${days} ${tenantId}`}
          label={`近 ${days} 天的${figure.title}，单面与双面`}
          points={single.data && double.data && single.data.map(({ day }) => shortDay(day))}
          unfinished={unfinishedDay(single.data)}
          series={[
            { name: sideText.SINGLE, values: single.data?.map(figure.of) ?? [] },
            { name: sideText.DOUBLE, values: double.data?.map(figure.of) ?? [] },
          ]}
          format={figure.format}
          formatAxis={figure.formatAxis}
          isPatient
          empty={`近 ${days} 天没有${figure.title}`}
        />
      )}
    </section>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

/** Plain button: the home page renders before the component library is loaded. */
function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose}>
      {children}
    </button>
  );
}
