// Main-thread client of the export worker: sends rows, receives the file, or stops.
import type { CellInput } from "@cabinet/contract/kit/export.rules.ts";
import type { FromExportWorker, ToExportWorker } from "./export.worker.ts";
import type { WorkbookColumn } from "./write-workbook.ts";

const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export interface WorkbookJob {
  addRows: (rows: CellInput[][]) => void;
  addSums: (row: CellInput[]) => void;
  finish: () => Promise<Blob>;
  stop: () => void;
}

export function startWorkbook(columns: WorkbookColumn[]): WorkbookJob {
  const worker = new Worker(new URL("./export.worker.ts", import.meta.url), { type: "module" });
  const send = (message: ToExportWorker) => worker.postMessage(message);
  const file = new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromExportWorker>) =>
      resolve(new Blob(data, { type: XLSX_TYPE }));
    // From the first row on: a file without rows that failed must not be offered.
    worker.onerror = (event) => reject(new Error(event.message || "无法生成文件"));
  });
  // `finish` reports the failure; nobody waits for the file of a stopped job.
  file.catch(() => {});
  send({ kind: "columns", columns });
  return {
    addRows: (rows) => send({ kind: "rows", rows }),
    addSums: (row) => send({ kind: "sums", row }),
    finish: () => {
      send({ kind: "finish" });
      return file;
    },
    stop: () => worker.terminate(),
  };
}

/** Starts a browser download of the file. */
export function saveFile(file: Blob, filename: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = filename;
  link.click();
  // The browser reads the blob asynchronously: revoking the URL at once could break the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
