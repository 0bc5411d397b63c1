// Second import step: every line with its check result and the import options.
import type { deviceStockContract } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import Radio from "antd/es/radio";
import { useState } from "react";
import { Button } from "../../../ui/display/button.tsx";
import { ImportLines } from "./import-lines.tsx";
import type { PreviewLine } from "./stock-lines.rules.ts";

export type ImportMode = Input<typeof deviceStockContract.importLines>["body"]["mode"];

export interface ImportPreviewProps {
  name: string;
  emptyLines: number;
  lines: readonly PreviewLine[];
  isBusy: boolean;
  onImport: (mode: ImportMode) => void;
  onAgain: () => void;
}

export function ImportPreview(props: ImportPreviewProps) {
  const { name, emptyLines, lines, isBusy, onImport, onAgain } = props;
  const [mode, setMode] = useState<ImportMode>("ALL_OR_NONE");
  const ready = lines.filter(({ result }) => result === "READY").length;
  const wrong = lines.length - ready;
  const doubtful = lines.filter(({ isDoubtful }) => isDoubtful).length;
  const blocked =
    ready === 0
      ? "没有可导入的行"
      : wrong > 0 && mode === "ALL_OR_NONE"
        ? `有 ${wrong} 行有问题：请改正后重新选择文件，或改选“仅导入无误的行”`
        : null;
  return (
    <>
      <div className="stock-import-summary" role="status">
        <b className="stock-import-name">{name}</b>
        <span>共 {lines.length} 行</span>
        <span data-tone="good">无误 {ready} 行</span>
        {wrong > 0 && <span data-tone="bad">有问题 {wrong} 行</span>}
        {doubtful > 0 && <span data-tone="doubtful">需核对 {doubtful} 行</span>}
        {emptyLines > 0 && <span>已跳过空行 {emptyLines} 行</span>}
      </div>
      <ImportLines lines={lines} />
      <div className="stock-import-foot">
        <Radio.Group
          aria-label="导入方式"
          value={mode}
          disabled={isBusy}
          onChange={(event) => setMode(event.target.value)}
        >
          <Radio value="ALL_OR_NONE">全部无误才导入</Radio>
          <Radio value="VALID_ONLY">仅导入无误的行</Radio>
        </Radio.Group>
        <div className="stock-import-buttons">
          <Button disabled={isBusy} onClick={onAgain}>
            重新选择文件
          </Button>
          <Button
            type="primary"
            loading={isBusy}
            disabled={blocked !== null}
            onClick={() => onImport(mode)}
          >
            导入 {ready} 台
          </Button>
        </div>
      </div>
      {blocked && <p className="stock-import-blocked">{blocked}</p>}
    </>
  );
}
