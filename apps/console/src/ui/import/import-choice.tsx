// First import step: template download and file upload.
import { messageOf, toast } from "../../kit/feedback.ts";
import { Button } from "../display/button.tsx";
import { FileDrop } from "../form/file-drop.tsx";
import type { ImportColumn } from "./import.rules.ts";
import { saveTemplate } from "./import-files.ts";
import type { ImportReply, ImportSpec } from "./import-spec.ts";

export interface ImportChoiceProps<Name extends string, Reply extends ImportReply> {
  spec: ImportSpec<Name, Reply>;
  isBusy: boolean;
  onFile: (file: File) => void;
}

export function ImportChoice<Name extends string, Reply extends ImportReply>({
  spec,
  isBusy,
  onFile,
}: ImportChoiceProps<Name, Reply>) {
  const columns = Object.values<ImportColumn>(spec.columns);
  const named = (isRequired: boolean) =>
    columns
      .filter((column) => Boolean(column.isRequired) === isRequired)
      .map(({ title }) => title)
      .join("、");
  return (
    <>
      <ol className="import-steps">
        <li>
          下载模板，或用您自己的表格：每行一{spec.unit}，<b>{named(true)}</b>必填
          {named(false) && `，${named(false)}选填`}。
          <button
            type="button"
            className="ui-link"
            onClick={() => {
              saveTemplate(spec).catch((error) => toast.error(messageOf(error)));
            }}
          >
            下载模板
          </button>
        </li>
        <li>选择文件，系统逐行检查并显示预览，确认后才会导入。</li>
        {spec.afterwards && <li>{spec.afterwards}</li>}
      </ol>
      {spec.before?.control}
      <FileDrop
        className="import-drop"
        label="选择要导入的文件"
        accept=".xlsx,.csv,.txt"
        onFile={(file) => {
          if (!spec.before?.isMissing) onFile(file);
        }}
      >
        {(choose) => (
          <>
            <Button
              type="primary"
              loading={isBusy}
              disabled={spec.before?.isMissing ?? false}
              onClick={choose}
            >
              {isBusy ? "正在读取…" : "选择文件"}
            </Button>
            <p>
              或把文件拖到这里。支持 .xlsx、.csv，一次最多 {spec.most} {spec.unit}
            </p>
          </>
        )}
      </FileDrop>
    </>
  );
}
