// Lines of the import file with their check results; can list problem lines first.
import { useState } from "react";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { DataTable } from "../../../ui/list/data-table.tsx";
import { lineText, lineTone } from "./device-stock-display.rules.ts";
import type { PreviewLine } from "./stock-lines.rules.ts";

const columns: Column<PreviewLine>[] = [
  { key: "line", title: "行", width: 80, value: (row) => `第 ${row.line} 行` },
  { key: "sn", title: "设备编号", width: 176, value: (row) => row.sn || null },
  {
    key: "result",
    title: "检查结果",
    width: 96,
    value: (row) => lineText[row.result],
    render: (row) => (
      <Status tone={row.isDoubtful ? "doubtful" : lineTone[row.result]}>
        {row.isDoubtful ? "需核对" : lineText[row.result]}
      </Status>
    ),
  },
  {
    key: "message",
    title: "说明",
    width: 272,
    render: (row) => <span className="stock-line-message">{row.message}</span>,
  },
  { key: "model", title: "型号", width: 132, value: (row) => row.model || null },
  { key: "batch", title: "批次", isSecondary: true, width: 116, value: (row) => row.batch || null },
];

export function ImportLines({ lines }: { lines: readonly PreviewLine[] }) {
  const [isShort, setIsShort] = useState(false);
  const odd = lines.filter(
    ({ result, isDoubtful }) => isDoubtful || (result !== "READY" && result !== "IMPORTED"),
  );
  const isFiltered = isShort && odd.length > 0;
  return (
    <div className="stock-lines">
      {odd.length > 0 && odd.length < lines.length && (
        <label className="stock-lines-filter">
          <input
            type="checkbox"
            className="ui-check"
            checked={isShort}
            onChange={(event) => setIsShort(event.target.checked)}
          />
          只看有问题和需核对的 {odd.length} 行
        </label>
      )}
      <div className="stock-scroll">
        <DataTable
          label="文件中的设备"
          columns={columns}
          rows={isFiltered ? odd : lines}
          rowKey={(row) => row.line}
          expectedRows={lines.length}
        />
      </div>
    </div>
  );
}
