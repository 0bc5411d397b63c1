// Columns of the ranking of cabinets of both sides.
import { feeText, pricingScopeText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type {
  RankedCabinet,
  statisticsContract,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  changeOf,
  earningReasons,
  earningReasonText,
  netFen,
  turnoverOf,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { figureChange } from "../../../domain/figure-change.rules.ts";
import { formatNumber } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import { CellText } from "../../../ui/list/data-table.tsx";
import { moneyColumn } from "../../../ui/list/money-column.tsx";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import { turnoverColumn } from "./ranking-columns.tsx";

import "../../../ui/display/basics.css";
import "./cabinet-ranking.css";

type RankingColumn = ColumnOf<typeof statisticsContract.cabinets>;

const hours = (minutes: number) => Math.round(minutes / 6) / 10;

function hoursColumn(
  key: "full" | "offline",
  title: string,
  minutesOf: (row: RankedCabinet) => number,
): RankingColumn {
  return {
    key,
    title,
    width: 100,
    align: "right",
    sort: key,
    value: (row) => hours(minutesOf(row)),
    render: (row) => (minutesOf(row) > 0 ? `${hours(minutesOf(row)).toFixed(1)} 小时` : "—"),
    exports: [{ header: `${title}（小时）`, width: 14, value: (row) => hours(minutesOf(row)) }],
  };
}

export const dayNetFen = (row: RankedCabinet) => Math.round(netFen(row) / row.days);
export const turnover = (row: RankedCabinet) => turnoverOf(row, row.compartments, row.days);
export const ruleText = ({ pricingScope, pricing }: RankedCabinet) =>
  `${pricingScopeText[pricingScope]}：${feeText(pricing)}${pricing.rates?.length ? `，另有按规格、时段 ${pricing.rates.length} 条` : ""}`;

const reasonsText = (row: RankedCabinet) =>
  earningReasons(row)
    .map((reason) => earningReasonText[reason])
    .join("、");

export const cabinetRankingColumns: RankingColumn[] = [
  {
    key: "name",
    title: "设备",
    width: 156,
    sort: "name",
    value: ({ name }) => name,
  },
  {
    key: "store",
    title: "门店",
    width: 116,
    onCard: "line",
    value: ({ storeName }) => storeName ?? "未分配",
  },
  { key: "side", title: "单双面", width: 68, value: ({ side }) => sideText[side] },
  moneyColumn({ key: "income", title: "日均净收入", sort: "income", fen: dayNetFen }),
  {
    key: "change",
    title: "变化",
    width: 92,
    align: "right",
    sort: "change",
    value: (row) => {
      const change = changeOf(netFen(row), row.netFenBefore);
      return change === null ? null : Math.round(change * 1_000) / 10;
    },
    render: (row) => <Change of={row} />,
    exports: [
      {
        header: "对比上期（%）",
        width: 14,
        value: (row) => {
          const change = changeOf(netFen(row), row.netFenBefore);
          return change === null ? null : Math.round(change * 1_000) / 10;
        },
      },
    ],
  },
  {
    key: "reasons",
    title: "可能原因",
    width: 120,
    onCard: "line",
    value: reasonsText,
    exportWidth: 32,
    render: (row) => {
      const [first, ...others] = earningReasons(row);
      if (!first) return <span className="ui-cell-none">—</span>;
      return (
        <Status tone="doubtful" title={reasonsText(row)}>
          {earningReasonText[first]}
          {others.length > 0 && ` +${others.length}`}
        </Status>
      );
    },
  },
  turnoverColumn(76, turnover),
  hoursColumn("full", "满柜", ({ fullMinutes }) => fullMinutes),
  hoursColumn("offline", "离线", ({ offlineMinutes }) => offlineMinutes),
  {
    key: "malfunctions",
    title: "故障",
    width: 64,
    align: "right",
    sort: "malfunctions",
    value: ({ malfunctions }) => malfunctions,
  },
  {
    key: "rule",
    title: "计费规则",
    width: 168,
    value: ruleText,
    render: (row) => <CellText>{ruleText(row)}</CellText>,
    exportWidth: 40,
  },
  {
    key: "started",
    title: "订单数",
    width: 76,
    align: "right",
    isSecondary: true,
    value: ({ started }) => started,
    render: ({ started }) => formatNumber(started),
  },
  { key: "sn", title: "设备编号", width: 132, isSecondary: true },
];

function Change({ of }: { of: RankedCabinet }) {
  const { note, tone } = figureChange(netFen(of), of.netFenBefore || null);
  return (
    <span className="ranking-change" data-tone={tone}>
      {note === "上期无数据" ? "—" : note}
    </span>
  );
}
