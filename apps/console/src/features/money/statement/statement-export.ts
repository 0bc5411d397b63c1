// The statement as a workbook: one row for each day, and a row of sums.
import type { Statement } from "@cabinet/contract/money/statement/statement.contract.ts";
import {
  ORDER_LINES,
  STATEMENT_LINES,
  statementLineText,
  sumOfLines,
  totalFen,
} from "@cabinet/contract/money/statement/statement.rules.ts";
import type { ExportColumn } from "../../../ui/list/columns.ts";
import type { ExportInput } from "../../../ui/sheet/export-dialog.tsx";
import { subjectOf } from "./statement-text.ts";

type Day = Pick<Statement["days"][number], "openingFen" | "lines" | "closingFen">;
type DayColumn = ExportColumn<Day & { day: string }>;

const money = (title: string, fenOf: (day: Day) => number | null): DayColumn => ({
  header: `${title}（元）`,
  width: 16,
  format: "money",
  value: (day) => {
    const fen = fenOf(day);
    return fen === null ? null : fen / 100;
  },
});

function columnsOf({ opening }: Statement): DayColumn[] {
  const lines = (opening ? STATEMENT_LINES : ORDER_LINES).map((line) =>
    money(statementLineText[line], (day) => totalFen(sumOfLines(day.lines, line))),
  );
  return [
    { header: "日期", width: 14, format: "date", value: ({ day }) => day },
    ...(opening ? [money("期初余额", ({ openingFen }) => openingFen)] : []),
    ...lines,
    money("变动合计", ({ lines: all }) => totalFen(sumOfLines(all))),
    ...(opening ? [money("期末余额", ({ closingFen }) => closingFen)] : []),
  ];
}

/** The days that are on screen: nothing is read again. The sums begin with the opening of the month and end with its closing. */
export function exportOf(statement: Statement): ExportInput<Day & { day: string }> {
  const { days, opening, closing, lines } = statement;
  const columns = columnsOf(statement);
  const sums = {
    day: "合计",
    openingFen: opening && totalFen(opening),
    lines,
    closingFen: closing && totalFen(closing),
  };
  return {
    columns,
    total: days.length,
    sums: columns.map(({ value }) => value(sums)),
    takeSnapshot: async () => ({
      total: days.length,
      pageSize: days.length,
      fetchPage: async () => ({ code: 0, data: days, errMsg: "" }),
      end: () => {},
    }),
    filename: `月结单-${statement.month}-${statement.tenantName}-${subjectOf(statement)}`,
  };
}
