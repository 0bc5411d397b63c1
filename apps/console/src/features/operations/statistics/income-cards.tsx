// Figures of a period, each compared with the preceding period of the same length.

import type { IncomeStatistics } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  daysOf,
  type FigureSums,
  meanStayMinutes,
  netFen,
  openShare,
  overdueShare,
  stayText,
  turnoverOf,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { type FigureKind, figureChange } from "../../../domain/figure-change.rules.ts";
import { formatMoney, formatNumber, formatShare } from "../../../kit/format.ts";
import { type FigureCard, FigureCards } from "../../../ui/chart/figure-cards.tsx";

interface Figure extends FigureKind {
  title: string;
  /** Explanation of how the figure is calculated. */
  meaning: string;
  value: (sums: FigureSums, place: { compartments: number; days: number }) => number | null;
  format: (value: number | null) => string;
}

const figures: Figure[] = [
  {
    title: "订单数",
    meaning: "这段时间创建的订单，含取消的",
    value: ({ started }) => started,
    format: formatNumber,
  },
  {
    title: "净收入",
    meaning: "订单支付减去退款，含赠送金支付的部分；不含充值与购买套餐",
    value: netFen,
    format: formatMoney,
  },
  {
    title: "退款",
    meaning: "这段时间退回用户钱包的金额",
    value: ({ refundFen }) => refundFen,
    format: formatMoney,
    isBurden: true,
  },
  {
    title: "周转率",
    meaning: "存入次数 ÷ 启用的格口数 ÷ 天数：每个格口平均每天用几次",
    value: (sums, { compartments, days }) => turnoverOf(sums, compartments, days),
    format: (value) => (value === null ? "—" : `${value.toFixed(2)} 次/天`),
  },
  {
    title: "平均存放",
    meaning: "这段时间取出的物品平均存放了多久",
    value: meanStayMinutes,
    format: (value) => (value === null ? "—" : stayText(value)),
    isBurden: true,
  },
  {
    title: "滞留率",
    meaning: "变为滞留的订单 ÷ 存入的订单",
    value: overdueShare,
    format: formatShare,
    isShare: true,
    isBurden: true,
  },
  {
    title: "开门成功率",
    meaning: "门已打开的次数 ÷ 订单请求开门的次数",
    value: openShare,
    format: formatShare,
    isShare: true,
  },
];

/** `data` is undefined while loading. */
export function IncomeCards({ data }: { data: IncomeStatistics | undefined }) {
  return <FigureCards label="经营数据" figures={figures.map((figure) => cardOf(figure, data))} />;
}

function cardOf(figure: Figure, data: IncomeStatistics | undefined): FigureCard {
  const { title, meaning } = figure;
  if (!data) return { title, meaning, value: undefined };
  const place = { compartments: data.compartments, days: daysOf(data) };
  const now = figure.value(data.now, place);
  const before = figure.value(data.before, place);
  return {
    ...{ title, meaning, value: figure.format(now) },
    ...figureChange(now, before, figure),
  };
}
