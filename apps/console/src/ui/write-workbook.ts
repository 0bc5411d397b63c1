// Rows and headers in, an .xlsx file out (specification §9). The one place that knows the library.
import {
  type CellInput,
  EXPORT_COLUMN_WIDTH,
  EXPORT_HEADER_HEIGHT_PX,
  EXPORT_SHEET,
  sheetCell,
} from "@cabinet/contract/kit/export.rules.ts";
import { writeXlsx } from "hucre/xlsx";

export interface WorkbookColumn {
  header: string;
  /** In characters; 20 unless said. */
  width?: number;
}

const POINTS_PER_PX = 0.75;
const line = { style: "thin", color: { rgb: "FF8EA9DB" } } as const;
const headerStyle = {
  font: { bold: true, size: 12 },
  alignment: { horizontal: "center", vertical: "center" },
  border: { top: line, right: line, bottom: line, left: line },
  fill: { type: "pattern", pattern: "solid", fgColor: { rgb: "FFDDEBF7" } },
} as const;
/** Excel's own "text" format: what is typed over the cell stays text too. */
const textStyle = { numFmt: "@" } as const;

/** One sheet with a styled header row. Cells are in the order of `columns`. */
export async function writeWorkbook(
  columns: readonly WorkbookColumn[],
  rows: readonly (readonly CellInput[])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const overrides = new Map<string, { style: typeof headerStyle | typeof textStyle }>();
  for (const index of columns.keys()) overrides.set(`0,${index}`, { style: headerStyle });
  const body = rows.map((row, rowIndex) =>
    row.map((input, columnIndex) => {
      const cell = sheetCell(input);
      if (cell.isText) overrides.set(`${rowIndex + 1},${columnIndex}`, { style: textStyle });
      return cell.value;
    }),
  );
  const bytes = await writeXlsx({
    sheets: [
      {
        name: EXPORT_SHEET,
        columns: columns.map((column) => ({ width: column.width ?? EXPORT_COLUMN_WIDTH })),
        rows: [columns.map((column) => column.header), ...body],
        cells: overrides,
        rowDefs: new Map([[0, { height: EXPORT_HEADER_HEIGHT_PX * POINTS_PER_PX }]]),
        freezePane: { rows: 1 },
      },
    ],
  });
  return new Uint8Array(bytes);
}
