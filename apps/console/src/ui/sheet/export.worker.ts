// Web worker that writes the exported workbook while its rows are fetched.
import type { CellInput } from "@cabinet/contract/kit/export.rules.ts";
import { type WorkbookColumn, WorkbookWriter } from "./write-workbook.ts";

export type ToExportWorker =
  | { kind: "columns"; columns: WorkbookColumn[] }
  | { kind: "rows"; rows: CellInput[][] }
  | { kind: "finish" };

export type FromExportWorker =
  | { kind: "written"; parts: Uint8Array<ArrayBuffer>[] }
  | { kind: "failed"; message: string };

let writer = new WorkbookWriter([]);

async function finish(): Promise<FromExportWorker> {
  try {
    return { kind: "written", parts: await writer.finish() };
  } catch (error) {
    return { kind: "failed", message: String(error) };
  }
}

self.addEventListener("message", ({ data }: MessageEvent<ToExportWorker>) => {
  if (data.kind === "columns") writer = new WorkbookWriter(data.columns);
  else if (data.kind === "rows") writer.addRows(data.rows);
  else void finish().then((answer) => self.postMessage(answer));
});
