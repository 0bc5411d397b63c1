import { expect, test } from "vitest";
import { readSheetFile } from "./read-sheet.ts";

test("file that changed after it was chosen: the message says what to do", async () => {
  const file = new File(["a"], "发货清单.xlsx");
  file.arrayBuffer = () => Promise.reject(new DOMException("", "NotReadableError"));
  await expect(readSheetFile(file)).rejects.toThrow("文件已被移动、删除或修改，请重新选择");
});
