// Column of amounts: yuan on screen and in the workbook, fen in the data.
import { formatMoney, formatMoneyChange } from "../../kit/format.ts";
import type { Column } from "./columns.ts";
import { CellText } from "./data-table.tsx";

export interface MoneyColumn<Row, SortBy extends string> {
  key: string;
  title: string;
  fen: (row: Row) => number;
  width?: number;
  /** Amount that a wallet gains or loses, shown with its sign. */
  isChange?: true;
  sort?: SortBy;
  isSecondary?: true;
}

export function moneyColumn<Row, SortBy extends string = never>({
  fen,
  width = 108,
  isChange,
  ...column
}: MoneyColumn<Row, SortBy>): Column<Row, SortBy> {
  // Exported in yuan as a number, so that a spreadsheet can sum it.
  const value = (row: Row) => fen(row) / 100;
  return {
    ...column,
    width,
    align: "right",
    value,
    render: (row) => <CellText>{(isChange ? formatMoneyChange : formatMoney)(fen(row))}</CellText>,
    exports: [{ header: `${column.title}（元）`, width: 14, format: "money", value }],
  };
}
