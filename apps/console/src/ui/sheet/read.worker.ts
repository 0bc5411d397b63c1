// Web worker that reads a spreadsheet.
import { readWorkbook } from "./read-workbook.ts";
import type { ReadFile } from "./sheet-rows.rules.ts";

export type FromReadWorker = { kind: "read"; file: ReadFile } | { kind: "failed"; message: string };

self.addEventListener("message", async (event: MessageEvent<Uint8Array>) => {
  let answer: FromReadWorker;
  try {
    answer = { kind: "read", file: await readWorkbook(event.data) };
  } catch (error) {
    answer = { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(answer);
});
