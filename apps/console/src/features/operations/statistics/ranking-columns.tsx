// The columns of the ranking of stores or cabinets.
import type {
  RankedPlace,
  statisticsContract,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  meanStayMinutes,
  netFen,
  openShare,
  overdueShare,
  stayText,
  turnoverOf,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { useSearchParams } from "react-router";
import { sideBase, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatNumber, formatShare } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { moneyColumn } from "../../../ui/list/money-column.tsx";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import "../../../ui/display/basics.css";

type Place = ColumnOf<typeof statisticsContract.ranking>;

function countColumn(key: "started" | "stored" | "completed", title: string): Place {
  return {
    key,
    title,
    width: 84,
    align: "right",
    sort: key,
    value: (row) => row[key],
    render: (row) => formatNumber(row[key]),
  };
}

/** Deposits per compartment and day; null without a compartment. */
export function turnoverColumn<Row>(
  width: number,
  timesOf: (row: Row) => number | null,
): Column<Row, "turnover"> {
  return {
    key: "turnover",
    title: "周转率",
    width,
    align: "right",
    sort: "turnover",
    value: (row) => {
      const times = timesOf(row);
      return times === null ? null : Math.round(times * 100) / 100;
    },
    render: (row) => timesOf(row)?.toFixed(2) ?? "—",
  };
}

/** In percent, with one decimal. */
const percent = (share: number | null) => (share === null ? null : Math.round(share * 1_000) / 10);

function shareColumn(
  key: "overdue" | "opened",
  title: string,
  shareOf: (row: RankedPlace) => number | null,
): Place {
  return {
    key,
    title,
    width: 104,
    align: "right",
    sort: key,
    value: (row) => percent(shareOf(row)),
    render: (row) => formatShare(shareOf(row)),
    exports: [{ header: `${title}（%）`, width: 12, value: (row) => percent(shareOf(row)) }],
  };
}

export function rankingColumns(
  by: "STORE" | "CABINET",
  days: number,
  isPlatform: boolean,
): Place[] {
  return [
    {
      key: "name",
      title: { STORE: "门店", CABINET: "设备" }[by],
      width: 168,
      render: (row) => <PlaceLink by={by} place={row} />,
    },
    ...(isPlatform ? [tenantColumn<RankedPlace>()] : []),
    {
      key: "code",
      title: { STORE: "门店编码", CABINET: "设备编号" }[by],
      width: 132,
      isSecondary: true,
    },
    ...(by === "CABINET"
      ? [
          {
            key: "store",
            title: "现在门店",
            width: 132,
            isSecondary: true,
            value: (row) => row.storeName ?? "",
          } satisfies Place,
        ]
      : []),
    countColumn("started", "订单数"),
    moneyColumn({
      key: "income",
      title: "净收入",
      sort: "income",
      width: 116,
      fen: netFen,
    }),
    moneyColumn({
      key: "refund",
      title: "退款",
      sort: "refund",
      width: 116,
      fen: (row) => row.refundFen,
    }),
    turnoverColumn(92, (row) => turnoverOf(row, row.compartments, days)),
    {
      key: "stay",
      title: "平均存放",
      width: 104,
      align: "right",
      sort: "stay",
      value: (row) => meanStayMinutes(row),
      render: (row) => {
        const minutes = meanStayMinutes(row);
        return minutes === null ? "—" : stayText(minutes);
      },
      exports: [{ header: "平均存放（分钟）", width: 16, value: meanStayMinutes }],
    },
    shareColumn("overdue", "滞留率", overdueShare),
    shareColumn("opened", "开门成功率", openShare),
  ];
}

/** Links a store to its cabinets over the same days, a cabinet to its orders. */
function PlaceLink({ by, place }: { by: "STORE" | "CABINET"; place: RankedPlace }) {
  const [params] = useSearchParams();
  const pageSide = usePageSide();
  if (place.id === null) return place.name;
  const inStore = new URLSearchParams(params);
  inStore.set("storeId", String(place.id));
  inStore.set("by", "CABINET");
  for (const name of ["sort", "order", "page"]) inStore.delete(name);
  const to =
    by === "STORE"
      ? (`?${inStore}` as const)
      : pathTo(`${sideBase(place.side ?? pageSide)}/rider/order`, { cabinetId: place.id });
  return (
    <Link className="ui-link" to={to}>
      {place.name}
    </Link>
  );
}
