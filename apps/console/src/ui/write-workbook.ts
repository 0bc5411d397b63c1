// Rows and headers in, an .xlsx file out (specification §9). The one place that knows the library.
import {
  type CellInput,
  EXPORT_COLUMN_WIDTH,
  EXPORT_HEADER_HEIGHT_PX,
  EXPORT_SHEET,
  sheetCell,
} from "@cabinet/contract/kit/export.rules.ts";
import { colToLetter, type DataValidation, writeXlsx } from "hucre/xlsx";

export interface WorkbookColumn {
  header: string;
  /** In characters; 20 unless said. */
  width?: number;
  /** What is typed into it stays text: a number keeps its leading zeros. */
  isText?: boolean;
  /** Offered in each of its cells. */
  choices?: readonly string[];
}

/** What a spreadsheet program takes as a list of choices, and for how many rows. */
const MAX_CHOICES_LENGTH = 255;
const CHOICE_ROWS = 1_000;

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
        columns: columns.map(({ width = EXPORT_COLUMN_WIDTH, isText }) => ({
          width,
          ...(isText && { style: textStyle }),
        })),
        rows: [columns.map((column) => column.header), ...body],
        cells: overrides,
        rowDefs: new Map([[0, { height: EXPORT_HEADER_HEIGHT_PX * POINTS_PER_PX }]]),
        freezePane: { rows: 1 },
        dataValidations: columns.flatMap(choicesOf),
      },
    ],
  });
  return new Uint8Array(bytes);
}

function choicesOf({ choices = [] }: WorkbookColumn, index: number): DataValidation[] {
  const isTooMuch = choices.join(",").length > MAX_CHOICES_LENGTH;
  if (choices.length === 0 || isTooMuch || choices.some((choice) => choice.includes(",")))
    return [];
  const letter = colToLetter(index);
  const range = `${letter}2:${letter}${CHOICE_ROWS}`;
  return [{ type: "list", values: [...choices], allowBlank: true, range }];
}
