// Columns of the list of reconciliation differences.
import type { Difference } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import {
  areaOf,
  type DifferenceState,
  differenceAreaText,
  differenceKindText,
  differenceStateText,
} from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatMoney, formatMoneyChange } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";

export function personOf({ userName, phone }: Difference): string | null {
  return [userName, phone].filter(Boolean).join(" ") || null;
}

/** Actual minus expected amount in fen; null if one side has no amount. */
export function gapOf({ expectedFen, actualFen }: Difference): number | null {
  return expectedFen === null || actualFen === null ? null : actualFen - expectedFen;
}

function amount(key: string, title: string, fen: (row: Difference) => number | null) {
  const value = (row: Difference) => {
    const found = fen(row);
    return found === null ? null : found / 100;
  };
  return {
    key,
    title,
    width: 104,
    align: "right",
    value,
    render: (row: Difference) => formatMoney(fen(row)),
    exports: [{ header: `${title}（元）`, width: 14, format: "money", value }],
  } satisfies Column<Difference>;
}

const kindColumn: Column<Difference> = {
  key: "kind",
  title: "差异",
  width: 172,
  value: (row) => differenceKindText[row.kind],
};

const stateTone: Record<DifferenceState, Tone> = {
  OPEN: "doubtful",
  KNOWN: "quiet",
  RESOLVED: "good",
};

export const differenceColumns: Column<Difference>[] = [
  kindColumn,
  tenantColumn(112),
  {
    key: "state",
    title: "状态",
    width: 104,
    value: (row) => differenceStateText[row.state],
    render: (row) => <Status tone={stateTone[row.state]}>{differenceStateText[row.state]}</Status>,
  },
  { key: "day", title: "账期", width: 112, exportFormat: "date" },
  { key: "subject", title: "对象", width: 188, keepsEnd: true, exportWidth: 36 },
  amount("expected", "账面金额", (row) => row.expectedFen),
  amount("actual", "实际金额", (row) => row.actualFen),
  {
    ...amount("gap", "差额", gapOf),
    render: (row) => {
      const gap = gapOf(row);
      return gap === null ? "—" : formatMoneyChange(gap);
    },
  },
  { key: "person", title: "用户", width: 176, value: personOf },
  { key: "detail", title: "说明", width: 200, keepsEnd: true, exportWidth: 36 },
  {
    key: "area",
    title: "范围",
    width: 84,
    isSecondary: true,
    value: (row) => differenceAreaText[areaOf(row.kind)],
  },
  timeColumn("seenAt", "最近发现", { isSecondary: true }),
  { key: "resolution", title: "处理结果", width: 180, isSecondary: true, exportWidth: 36 },
];
