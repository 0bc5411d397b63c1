// Files of an import: the template, and the lines that were not imported with their reasons.
import { exportFilename } from "@cabinet/contract/kit/export.rules.ts";
import { saveFile, startWorkbook } from "../sheet/export-workbook.ts";
import type { WorkbookColumn } from "../sheet/write-workbook.ts";
import type { ImportColumns, JudgedLine } from "./import.rules.ts";
import type { ImportReply, ImportSpec } from "./import-spec.ts";

const namesOf = <Name extends string>(columns: ImportColumns<Name>) =>
  Object.keys(columns) as Name[];

/** Cells are text, so that what is typed stays as it is. */
function fileColumns<Name extends string>(
  columns: ImportColumns<Name>,
  choices: Partial<Record<Name, readonly string[]>> = {},
): WorkbookColumn[] {
  return namesOf(columns).map((name) => {
    const { title, isRequired, width = 20 } = columns[name];
    const list = choices[name];
    return {
      header: isRequired ? `${title}（必填）` : title,
      width,
      isText: true,
      ...(list && { choices: [...list] }),
    };
  });
}

async function save(name: string, columns: WorkbookColumn[], rows: string[][]): Promise<void> {
  const job = startWorkbook(columns);
  try {
    job.addRows(rows);
    saveFile(await job.finish(), exportFilename(name));
  } finally {
    job.stop();
  }
}

export function saveTemplate<Name extends string, Reply extends ImportReply>({
  thing,
  columns,
  choices,
}: ImportSpec<Name, Reply>): Promise<void> {
  return save(`${thing}导入模板`, fileColumns(columns, choices), []);
}

/** The file has the titles of the template: corrected, it can be imported as it is. */
export function saveLines<Name extends string, Reply extends ImportReply>(
  { thing, columns, choices }: ImportSpec<Name, Reply>,
  lines: readonly JudgedLine<Name>[],
): Promise<void> {
  const names = namesOf(columns);
  return save(
    `${thing}未导入的行`,
    [
      ...fileColumns(columns, choices),
      { header: "原文件的行", width: 12 },
      { header: "原因", width: 60 },
    ],
    lines.map(({ line, values, label, message }) => [
      ...names.map((name) => values[name]),
      `第 ${line} 行`,
      `${label}：${message}`,
    ]),
  );
}
