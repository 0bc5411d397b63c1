// Writes the exported workbook off the main thread; rows arrive as they are fetched.
import type { CellInput } from "@cabinet/contract/kit/export.rules.ts";
import { type WorkbookColumn, writeWorkbook } from "./write-workbook.ts";

export type ToExportWorker =
  | { kind: "rows"; rows: CellInput[][] }
  | { kind: "write"; columns: WorkbookColumn[] };

export type FromExportWorker =
  | { kind: "written"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "failed"; message: string };

const rows: CellInput[][] = [];

async function write(columns: WorkbookColumn[]): Promise<void> {
  try {
    const bytes = await writeWorkbook(columns, rows);
    const message: FromExportWorker = { kind: "written", bytes };
    self.postMessage(message, { transfer: [bytes.buffer] });
  } catch (error) {
    const message: FromExportWorker = { kind: "failed", message: String(error) };
    self.postMessage(message);
  }
}

self.addEventListener("message", (event: MessageEvent<ToExportWorker>) => {
  if (event.data.kind === "rows") for (const row of event.data.rows) rows.push(row);
  else void write(event.data.columns);
});
