// Last import step: imported devices with their codes, and the rejected lines.
import {
  type ImportReply,
  type IssuedCode,
  MAX_STOCK_DEVICES,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import Alert from "antd/es/alert";
import { useState } from "react";
import { Button } from "../../../ui/display/button.tsx";
import { ActivationCodes } from "./activation-codes.tsx";
import { AssignTenant } from "./assign-tenant.tsx";
import { ImportLines } from "./import-lines.tsx";
import type { PreviewLine } from "./stock-lines.rules.ts";

export interface ImportResultProps {
  reply: ImportReply;
  /** All lines of the file, including lines that were not sent. */
  lines: readonly PreviewLine[];
  onKept: () => void;
  onAgain: () => void;
  onClose: () => void;
}

export function ImportResult({ reply, lines, onKept, onAgain, onClose }: ImportResultProps) {
  const left = lines.filter(({ result }) => result !== "IMPORTED");
  const lineOf = new Map(lines.map((line) => [line.line, line]));
  const codes = reply.lines.flatMap((judged): IssuedCode[] => {
    const { activationCode, line, sn } = judged;
    if (!activationCode) return [];
    const { model = "", batch = "" } = lineOf.get(line) ?? {};
    const { codeExpiresAt } = reply;
    return [{ sn, modelName: model, batch, activationCode, codeExpiresAt }];
  });
  const devices = reply.lines.flatMap(({ stockId, sn }) => (stockId ? [{ id: stockId, sn }] : []));
  const [step, setStep] = useState<"imported" | "assigning" | "assigned">("imported");
  return (
    <>
      <Alert
        type={left.length > 0 ? "warning" : "success"}
        showIcon
        role="status"
        title={
          left.length > 0
            ? `已导入 ${reply.imported} 台，${left.length} 行没有导入`
            : `已导入 ${reply.imported} 台`
        }
      />
      <ActivationCodes codes={codes} onKept={onKept} />
      {left.length > 0 && (
        <section className="stock-left">
          <h3>没有导入的行</h3>
          <ImportLines lines={left} />
        </section>
      )}
      <div className="stock-import-buttons">
        {left.length > 0 && <Button onClick={onAgain}>继续导入其他文件</Button>}
        {devices.length <= MAX_STOCK_DEVICES && (
          <Button disabled={step === "assigned"} onClick={() => setStep("assigning")}>
            {step === "assigned" ? "已分配租户" : "分配租户"}
          </Button>
        )}
        <Button type="primary" onClick={onClose}>
          完成
        </Button>
      </div>
      <AssignTenant
        devices={step === "assigning" ? devices : []}
        onClose={() => setStep((current) => (current === "assigned" ? current : "imported"))}
        onDone={() => setStep("assigned")}
      />
    </>
  );
}
