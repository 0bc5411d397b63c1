// 导入: upload a spreadsheet, preview each line, import, save the codes; errors keep the preview.
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import {
  deviceStockContract,
  type ImportReply,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { normalizeText } from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import Alert from "antd/es/alert";
import { useState } from "react";
import { messageOf } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Modal } from "../../../ui/display/overlays.tsx";
import { readSheetFile } from "../../../ui/sheet/read-sheet.ts";
import { confirmCodesGone } from "./codes-dialog.tsx";
import { ImportChoice } from "./import-choice.tsx";
import { type ImportMode, ImportPreview } from "./import-preview.tsx";
import { ImportResult } from "./import-result.tsx";
import { linesOfRows, type PreviewLine, previewOf } from "./stock-lines.rules.ts";
import "./device-stock.css";

interface Sheet {
  /** Idempotency key of this file: a retry after a lost response imports nothing twice. */
  importId: string;
  name: string;
  emptyLines: number;
  lines: PreviewLine[];
}

interface Outcome {
  reply: ImportReply;
  lines: PreviewLine[];
}

/** UUIDv4 by hand: `crypto.randomUUID` exists only in secure contexts (HTTPS). */
function newImportId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export function ImportDevices({ open, onClose }: { open: boolean; onClose: () => void }) {
  const models = useCall(cabinetModelContract.options, {}, { enabled: open, toasts: true });
  const send = useWrite(deviceStockContract.importLines);
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [areCodesKept, setAreCodesKept] = useState(false);

  const read = async (file: File) => {
    setIsReading(true);
    setFailure(null);
    try {
      const known = models.data ?? (await models.refetch({ throwOnError: true })).data ?? [];
      const rows = linesOfRows(await readSheetFile(file));
      const byName = new Map(known.map(({ id, name }) => [normalizeText(name), id]));
      setOutcome(null);
      setSheet({
        importId: newImportId(),
        name: file.name,
        emptyLines: rows.emptyLines,
        lines: previewOf(rows, byName),
      });
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setIsReading(false);
    }
  };

  const run = async ({ importId, lines }: Sheet, mode: ImportMode) => {
    setFailure(null);
    try {
      const sent = lines.filter(({ result }) => result === "READY");
      const body = {
        importId,
        mode,
        lines: sent.map(({ line, sn, model, batch, remark }) => ({
          line,
          sn,
          model,
          batch,
          remark,
        })),
      };
      const reply = await send.mutateAsync({ body });
      const verdicts = new Map(reply.lines.map((line) => [line.line, line]));
      const judged = lines.map((line) => ({ ...line, ...pick(verdicts.get(line.line)) }));
      if (reply.imported > 0) setOutcome({ reply, lines: judged });
      else {
        setSheet((current) => current && { ...current, lines: judged });
        setFailure("没有导入任何设备：下面标出了有问题的行，请改正后重新选择文件");
      }
    } catch (error) {
      setFailure(`${messageOf(error)}。预览仍保留，可直接重试，不会重复登记`);
    }
  };

  const reset = () => {
    setSheet(null);
    setOutcome(null);
    setFailure(null);
    setAreCodesKept(false);
  };

  const again = async () => {
    if (areCodesKept || (await confirmCodesGone())) reset();
  };

  const close = async () => {
    if (!outcome || areCodesKept || (await confirmCodesGone())) onClose();
  };

  return (
    <Modal
      open={open}
      title="导入新设备"
      width={960}
      footer={null}
      mask={{ closable: false }}
      keyboard={!send.isPending}
      scrollLock={false}
      destroyOnHidden
      afterClose={reset}
      onCancel={() => void close()}
    >
      <div className="stock-import">
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        {outcome ? (
          <ImportResult
            {...outcome}
            onKept={() => setAreCodesKept(true)}
            onAgain={() => void again()}
            onClose={() => void close()}
          />
        ) : sheet ? (
          <ImportPreview
            {...sheet}
            isBusy={send.isPending}
            onImport={(mode) => void run(sheet, mode)}
            onAgain={reset}
          />
        ) : (
          <ImportChoice
            isBusy={isReading}
            models={models.data?.map(({ name }) => name) ?? []}
            onFile={(file) => void read(file)}
          />
        )}
      </div>
    </Modal>
  );
}

/** The server's result for a line; it overrides the local "doubtful" mark. */
function pick(verdict: ImportReply["lines"][number] | undefined): Partial<PreviewLine> {
  return verdict ? { result: verdict.result, message: verdict.message, isDoubtful: false } : {};
}
