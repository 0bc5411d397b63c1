// Lines of an import with their results, bad ones first.
import { useMemo, useState } from "react";
import { Status } from "../display/status.tsx";
import type { Tone } from "../display/tone.rules.ts";
import type { Column } from "../list/columns.ts";
import { DataTable } from "../list/data-table.tsx";
import {
  type ImportColumn,
  type ImportColumns,
  type JudgedLine,
  type LineState,
  worstFirst,
} from "./import.rules.ts";

const tones: Record<LineState, Tone> = {
  bad: "bad",
  doubtful: "doubtful",
  ready: "good",
  done: "good",
};

function columnsOf<Name extends string>(columns: ImportColumns<Name>): Column<JudgedLine<Name>>[] {
  const own = Object.entries<ImportColumn>(columns).map(
    ([name, { title }], index): Column<JudgedLine<Name>> => ({
      key: name,
      title,
      width: 144,
      ...(index > 1 && { isSecondary: true }),
      value: ({ values }) => values[name as Name] || null,
    }),
  );
  const [first, ...others] = own;
  return [
    { key: "line", title: "行", width: 88, value: ({ line }) => `第 ${line} 行` },
    ...(first ? [{ ...first, width: 176 }] : []),
    {
      key: "result",
      title: "检查结果",
      width: 96,
      value: ({ label }) => label,
      render: ({ state, label }) => <Status tone={tones[state]}>{label}</Status>,
    },
    {
      key: "message",
      title: "说明",
      width: 280,
      render: ({ message }) => <span className="import-line-message">{message}</span>,
    },
    ...others,
  ];
}

export interface ImportLinesProps<Name extends string> {
  thing: string;
  columns: ImportColumns<Name>;
  lines: readonly JudgedLine<Name>[];
}

export function ImportLines<Name extends string>({
  thing,
  columns,
  lines,
}: ImportLinesProps<Name>) {
  const [isShort, setIsShort] = useState(false);
  const sorted = useMemo(() => worstFirst(lines), [lines]);
  const odd = sorted.filter(({ state }) => state === "bad" || state === "doubtful");
  const isFiltered = isShort && odd.length > 0;
  return (
    <div className="import-lines">
      {odd.length > 0 && odd.length < lines.length && (
        <label className="import-lines-filter">
          <input
            type="checkbox"
            className="ui-check"
            checked={isShort}
            onChange={(event) => setIsShort(event.target.checked)}
          />
          只看有问题和需核对的 {odd.length} 行
        </label>
      )}
      <div className="import-scroll">
        <DataTable
          label={`文件中的${thing}`}
          columns={columnsOf(columns)}
          rows={isFiltered ? odd : sorted}
          rowKey={(row) => row.line}
          expectedRows={lines.length}
        />
      </div>
    </div>
  );
}
