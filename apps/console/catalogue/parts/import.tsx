// An import: choice of the file, preview with bad, doubtful and hidden lines, choice of columns, result.
import { type ReactNode, useState } from "react";
import {
  guessPlace,
  type ImportColumns,
  type ImportPlace,
  type Judge,
  type JudgedLine,
  judgedLines,
  missingColumns,
  readLines,
} from "../../src/ui/import/import.rules.ts";
import { ImportChoice } from "../../src/ui/import/import-choice.tsx";
import { ImportPreview } from "../../src/ui/import/import-preview.tsx";
import { ImportResult } from "../../src/ui/import/import-result.tsx";
import type { ImportReply, ImportSpec } from "../../src/ui/import/import-spec.ts";
import type { ReadFile, ReadSheet, SheetRow } from "../../src/ui/sheet/sheet-rows.rules.ts";
import type { Parts } from "../state.ts";
import "../../src/ui/import/import.css";

type Name = "code" | "name" | "batch";

const columns: ImportColumns<Name> = {
  code: { title: "编码", isRequired: true, form: "code" },
  name: { title: "名称", isRequired: true },
  batch: { title: "批次" },
};
const judge: Judge<Name> = (lines) =>
  lines.map(({ line, values }) =>
    values.code.length < 3
      ? { line, result: "INVALID", message: "编码至少 3 个字，请改正后重新选择文件" }
      : { line, result: "READY", message: "可导入" },
  );
const spec: ImportSpec<Name, ImportReply> = {
  key: "sample",
  thing: "样品",
  unit: "件",
  columns,
  most: 200,
  afterwards: "导入后显示每件样品的编码。",
  judge,
  send: () => Promise.reject(new Error("没有服务器")),
};

const rowOf = (line: number, texts: readonly string[], more: Partial<SheetRow> = {}): SheetRow => {
  return { line, cells: texts.map((text) => ({ text, kind: "text" })), ...more };
};
const sheetOf = (name: string, titles: readonly string[]): ReadSheet => {
  const day = { text: "2026年11月", kind: "date" } as const;
  const [code, other] = [
    { text: "SAMPLE-2", kind: "text" } as const,
    { text: "乙", kind: "text" } as const,
  ];
  return {
    name,
    isHidden: false,
    hiddenColumns: ["C"],
    rows: [
      rowOf(1, ["发货清单"]),
      rowOf(2, titles),
      rowOf(3, ["SAMPLE-1", "甲", ""]),
      { line: 4, cells: [code, other, day] },
      rowOf(5, ["S", "丙", ""]),
      rowOf(7, ["SAMPLE-4", "丁", "B1"], { isHidden: true }),
      rowOf(8, ["SAMPLE-5", '"24 寸', ""], { problem: "第 8 行的引号没有成对，请补上或删除引号" }),
    ],
  };
};

function Preview({ file }: { file: ReadFile }) {
  const guess = guessPlace(file, columns);
  const [place, setPlace] = useState<ImportPlace<Name>>(guess.place);
  const isWhole = missingColumns(place, columns).length === 0;
  const read = isWhole ? readLines(file, place, columns, spec.most) : null;
  return (
    <Framed>
      <ImportPreview
        spec={spec}
        name="样品清单.xlsx"
        file={file}
        known={{}}
        place={place}
        isCertain={guess.isCertain}
        read={read}
        lines={read ? judgedLines(read, judge) : []}
        failure={null}
        isBusy={false}
        onPlace={setPlace}
        onImport={() => {}}
        onAgain={() => {}}
      />
    </Framed>
  );
}

function Result() {
  const file = { sheets: [sheetOf("清单", ["编码", "名称", "批次"])], encoding: null };
  const read = readLines(file, guessPlace(file, columns).place, columns, spec.most);
  const lines = judgedLines(read, judge).map(
    (line): JudgedLine<Name> =>
      line.state === "bad" ? line : { ...line, state: "done", label: "已导入", message: "已导入" },
  );
  return (
    <Framed>
      <ImportResult
        spec={spec}
        reply={{ imported: 3, lines: [] }}
        read={read}
        lines={lines}
        onAgain={() => {}}
        onClose={() => {}}
      >
        {null}
      </ImportResult>
    </Framed>
  );
}

const Framed = ({ children }: { children: ReactNode }) => <div className="import">{children}</div>;

export const importParts: Parts = {
  import: {
    choice: {
      show: () => (
        <Framed>
          <ImportChoice spec={spec} isBusy={false} onFile={() => {}} />
        </Framed>
      ),
    },
    preview: {
      show: () => (
        <Preview
          file={{
            sheets: [
              { name: "封面", isHidden: false, hiddenColumns: [], rows: [rowOf(1, ["发货单"])] },
              sheetOf("清单", ["编码", "名称", "批次"]),
            ],
            encoding: null,
          }}
        />
      ),
    },
    "unknown-titles": {
      show: () => (
        <Preview file={{ sheets: [sheetOf("", ["柜号", "叫法", "期"])], encoding: "GB18030" }} />
      ),
    },
    result: { show: Result },
  },
};
