// Main-thread client of the spreadsheet worker: takes a file, returns its sheets.
import type { FromReadWorker } from "./read.worker.ts";
import { MAX_SHEET_BYTES, type ReadFile } from "./sheet-rows.rules.ts";

const READ_MS = 20_000;

/** Throws an error with a Chinese message if the file cannot be read. */
export async function readSheetFile(file: File): Promise<ReadFile> {
  if (file.size > MAX_SHEET_BYTES) throw new Error("文件超过 20 MB，请拆分后再导入");
  const buffer = await file.arrayBuffer().catch(() => {
    throw new Error("文件已被移动、删除或修改，请重新选择");
  });
  const bytes = new Uint8Array(buffer);
  const worker = new Worker(new URL("./read.worker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise<ReadFile>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("文件内容过于复杂，没有读完")), READ_MS);
      worker.onmessage = (event: MessageEvent<FromReadWorker>) => {
        clearTimeout(timer);
        if (event.data.kind === "read") resolve(event.data.file);
        else reject(new Error(event.data.message));
      };
      worker.onerror = () => reject(new Error("文件没有读成功，请重试"));
      worker.postMessage(bytes, [bytes.buffer]);
    });
  } finally {
    worker.terminate();
  }
}
