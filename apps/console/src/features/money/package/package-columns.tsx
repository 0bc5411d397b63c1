// Columns of 套餐管理 and of the list of bought cards.
import type {
  PackageCard,
  packageContract,
} from "@cabinet/contract/money/package/package.contract.ts";
import {
  type CardState,
  cardStateText,
  packageKindText,
} from "@cabinet/contract/money/package/package.rules.ts";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Age, Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { moneyColumn } from "../../../ui/list/money-column.tsx";
import { timeColumn, timeWidth } from "../../../ui/list/time-column.ts";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import { buyerText, sidesText, usesText, worthText } from "./package-text.ts";

type PackageColumn = ColumnOf<typeof packageContract.list>;

export function SaleStatus({ isOnSale }: { isOnSale: boolean }) {
  return <Status tone={isOnSale ? "good" : "quiet"}>{isOnSale ? "在售" : "已下架"}</Status>;
}

const packageName: PackageColumn = { key: "name", title: "套餐名称", width: 132, sort: "name" };
export const packageColumns: PackageColumn[] = [
  packageName,
  tenantColumn(128),
  { key: "kind", title: "类型", width: 80, value: (row) => packageKindText[row.kind] },
  moneyColumn({
    key: "price",
    title: "售价",
    width: 96,
    sort: "price",
    fen: (row) => row.priceFen,
  }),
  {
    key: "worth",
    title: "内容",
    width: 276,
    exportWidth: 40,
    value: worthText,
    render: (row) => <CellText>{worthText(row)}</CellText>,
  },
  { key: "sides", title: "适用设备", width: 100, value: sidesText },
  {
    key: "isOnSale",
    title: "状态",
    width: 88,
    value: (row) => (row.isOnSale ? "在售" : "已下架"),
    render: (row) => <SaleStatus isOnSale={row.isOnSale} />,
  },
  {
    key: "sold",
    title: "已售",
    width: 60,
    align: "right",
    value: (row) => (row.kind === "BONUS" ? null : row.sold),
    render: (row) => (row.kind === "BONUS" ? "—" : formatNumber(row.sold)),
  },
  {
    key: "held",
    title: "使用中",
    width: 72,
    align: "right",
    value: (row) => (row.kind === "BONUS" ? null : row.held),
    render: (row) => (row.kind === "BONUS" ? "—" : formatNumber(row.held)),
  },
  {
    key: "editedAt",
    title: "最近修改",
    ...timeWidth,
    sort: "edited",
    isSecondary: true,
    value: (row) => formatDateTime(row.editedAt),
    render: (row) => <Age time={row.editedAt} />,
  },
];

const cardTones: Record<CardState, Tone> = { ACTIVE: "good", USED_UP: "quiet", EXPIRED: "quiet" };

export function CardStatus({ of }: { of: CardState }) {
  return <Status tone={cardTones[of]}>{cardStateText[of]}</Status>;
}

export const cardColumns: Column<PackageCard>[] = [
  {
    key: "buyer",
    title: "用户",
    width: 176,
    value: buyerText,
    render: (row) => <CellText>{buyerText(row)}</CellText>,
    exports: [
      { header: "姓名", width: 14, value: (row) => row.userName },
      { header: "手机号", width: 16, value: (row) => row.phone },
    ],
  },
  tenantColumn(128),
  { key: "name", title: "套餐", width: 132 },
  { key: "kind", title: "类型", width: 72, value: (row) => packageKindText[row.kind] },
  moneyColumn({ key: "price", title: "购买价", width: 100, fen: (row) => row.priceFen }),
  { key: "uses", title: "剩余次数", width: 104, align: "right", value: usesText },
  moneyColumn({ key: "covered", title: "已抵扣", width: 100, fen: (row) => row.coveredFen }),
  {
    key: "state",
    title: "状态",
    width: 88,
    value: (row) => cardStateText[row.state],
    render: (row) => <CardStatus of={row.state} />,
  },
  timeColumn("boughtAt", "购买时间"),
  timeColumn("expiresAt", "有效期至"),
];
