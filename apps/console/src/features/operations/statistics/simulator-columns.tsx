// Columns of a replay's results: by place, and the orders with the largest differences.
import type {
  PricingSimulation,
  ReplayedOrder,
} from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { minutesText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { formatNumber, formatShare } from "../../../kit/format.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { moneyColumn } from "../../../ui/list/money-column.tsx";

interface Amounts {
  oldFen: number;
  newFen: number;
}

function amountColumns<Row extends Amounts>(): Column<Row>[] {
  return [
    moneyColumn<Row>({ key: "old", title: "实际费用", width: 116, fen: (row) => row.oldFen }),
    moneyColumn<Row>({ key: "new", title: "试算费用", width: 116, fen: (row) => row.newFen }),
    moneyColumn<Row>({
      key: "difference",
      title: "差额",
      width: 116,
      isChange: true,
      fen: (row) => row.newFen - row.oldFen,
    }),
  ];
}

type Place = PricingSimulation["stores"][number];

function changeText({ oldFen, newFen }: Amounts): string {
  if (oldFen === 0) return "—";
  const share = (newFen - oldFen) / oldFen;
  return `${share > 0 ? "+" : ""}${formatShare(share)}`;
}

export function placeColumns(title: string): Column<Place>[] {
  return [
    { key: "name", title, width: 220 },
    {
      key: "orders",
      title: "订单数",
      width: 88,
      align: "right",
      render: (row) => formatNumber(row.orders),
    },
    ...amountColumns<Place>(),
    { key: "change", title: "变化", width: 88, align: "right", value: changeText },
  ];
}

export const orderColumns: Column<ReplayedOrder>[] = [
  { key: "orderId", title: "订单号", width: 176, value: (row) => String(row.orderId) },
  {
    key: "place",
    title: "格口",
    width: 220,
    value: (row) => `${row.cabinetName} ${row.compartmentNo} 号`,
  },
  {
    key: "minutes",
    title: "计费时长",
    width: 148,
    align: "right",
    value: (row) => minutesText(row.minutes),
  },
  ...amountColumns<ReplayedOrder>(),
];
