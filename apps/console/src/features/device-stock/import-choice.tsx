// The first step of an import: a template to fill in, a file to choose or to drop.
import Button from "antd/es/button";
import { type DragEvent, useRef, useState } from "react";
import { messageOf, toast } from "../../kit/feedback.ts";
import { downloadTemplate } from "./import-template.ts";

export interface ImportChoiceProps {
  isBusy: boolean;
  models: readonly string[];
  onFile: (file: File) => void;
}

export function ImportChoice({ isBusy, models, onFile }: ImportChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };

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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way beside the button */}
      <div
        className="stock-drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <Button type="primary" loading={isBusy} onClick={() => input.current?.click()}>
          {isBusy ? "正在读取…" : "选择文件"}
        </Button>
        <p>或把文件拖到这里。支持 .xlsx、.csv，一次最多 500 台</p>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="选择要导入的文件"
          accept=".xlsx,.csv"
          onChange={(event) => {
            const file = event.target.files?.[0];
            // The same file may be chosen again after it was put right.
            event.target.value = "";
            if (file) onFile(file);
          }}
        />
      </div>
    </>
  );
}
