// First import step: template download and file upload.
import { messageOf, toast } from "../../../kit/feedback.ts";
import { Button } from "../../../ui/display/button.tsx";
import { FileDrop } from "../../../ui/form/file-drop.tsx";
import { downloadTemplate } from "./import-template.ts";

export interface ImportChoiceProps {
  isBusy: boolean;
  models: readonly string[];
  onFile: (file: File) => void;
}

export function ImportChoice({ isBusy, models, onFile }: ImportChoiceProps) {
  return (
    <>
      <ol className="stock-import-steps">
        <li>
          下载模板，每行填写一台设备：<b>设备编号</b>和<b>型号</b>必填，批次、备注选填。
          <button
            type="button"
            className="ui-link"
            onClick={() => {
              downloadTemplate(models).catch((error) => toast.error(messageOf(error)));
            }}
          >
            下载模板
          </button>
        </li>
        <li>选择填好的文件，系统逐行检查并显示预览，确认后才会导入。</li>
        <li>导入后显示每台设备的激活码，只显示一次。</li>
      </ol>
      <FileDrop className="stock-drop" label="选择要导入的文件" accept=".xlsx,.csv" onFile={onFile}>
        {(choose) => (
          <>
            <Button type="primary" loading={isBusy} onClick={choose}>
              {isBusy ? "正在读取…" : "选择文件"}
            </Button>
            <p>或把文件拖到这里。支持 .xlsx、.csv，一次最多 500 台</p>
          </>
        )}
      </FileDrop>
    </>
  );
}
