// Import template: named columns, device numbers formatted as text, a drop-down of models.
import { exportFilename } from "@cabinet/contract/kit/export.rules.ts";
import { saveFile, startWorkbook } from "../../../ui/sheet/export-workbook.ts";
import { columnTitles } from "./stock-lines.rules.ts";

export async function downloadTemplate(models: readonly string[]): Promise<void> {
  const job = startWorkbook([
    { header: `${columnTitles.sn}（必填）`, width: 28, isText: true },
    { header: `${columnTitles.model}（必填）`, width: 24, choices: [...models] },
    { header: columnTitles.batch, width: 18, isText: true },
    { header: columnTitles.remark, width: 36 },
  ]);
  try {
    saveFile(await job.finish(), exportFilename("新设备导入模板"));
  } finally {
    job.stop();
  }
}
