// Web worker that writes the exported workbook while its rows are fetched.
import type { CellInput } from "@cabinet/contract/kit/export.rules.ts";
import { type WorkbookColumn, WorkbookWriter } from "./write-workbook.ts";

export type ToExportWorker =
  | { kind: "columns"; columns: WorkbookColumn[] }
  | { kind: "rows"; rows: CellInput[][] }
  | { kind: "sums"; row: CellInput[] }
  | { kind: "finish" };

/** The finished file in pieces. */
export type FromExportWorker = Uint8Array<ArrayBuffer>[];

let writer = new WorkbookWriter([]);

self.addEventListener("message", ({ data }: MessageEvent<ToExportWorker>) => {
  if (data.kind === "columns") writer = new WorkbookWriter(data.columns);
  else if (data.kind === "rows") writer.addRows(data.rows);
  else if (data.kind === "sums") writer.addSums(data.row);
  else self.postMessage(writer.finish() satisfies FromExportWorker);
});
