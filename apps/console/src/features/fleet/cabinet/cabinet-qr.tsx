// QR code of a cabinet for people and staff: a label to print and stick on the door, or to save as an image.
import type { Cabinet } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { useCallback, useRef } from "react";
import { useLabelPrint } from "../../../domain/cabinet/qr-sheet.tsx";
import { toast } from "../../../kit/feedback.ts";
import { Button } from "../../../ui/display/button.tsx";
import { Modal } from "../../../ui/display/overlays.tsx";
import { useLast } from "../../../ui/display/use-last.ts";
import { saveFile } from "../../../ui/sheet/export-workbook.ts";
import { drawQrLabel } from "./qr-label.ts";
import "./cabinet-qr.css";

const CODE_NOTE = `客户扫码打开网页版，工作人员由页面底部进入格口管理。地址为 ${window.location.origin}，域名更换后须重新打印；只含编号的旧标签仍可使用。`;

export interface CabinetQrProps {
  /** Null: the dialog is closed. */
  cabinet: Cabinet | null;
  onClose: () => void;
}

export function CabinetQr({ cabinet, onClose }: CabinetQrProps) {
  const shown = useLast(cabinet);
  const { print, sheet } = useLabelPrint();
  const label = useRef<HTMLCanvasElement | null>(null);
  const draw = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      label.current = canvas;
      if (canvas && shown) drawQrLabel(canvas, shown.name, shown.sn);
    },
    [shown],
  );

  const download = () =>
    label.current?.toBlob((picture) => {
      if (picture && shown) saveFile(picture, `${shown.name}-${shown.sn}.png`);
      else toast.error("二维码图片没有生成，请重试");
    });

  return (
    <Modal
      open={cabinet !== null}
      title="设备二维码"
      width={400}
      scrollLock={false}
      destroyOnHidden
      onCancel={onClose}
      footer={
        <>
          <Button onClick={() => shown && print([shown], "page")}>打印</Button>
          <Button type="primary" onClick={download}>
            下载图片
          </Button>
        </>
      }
    >
      <canvas
        ref={draw}
        className="cabinet-qr"
        role="img"
        aria-label={`二维码：${shown?.name} ${shown?.sn}`}
      />
      <p className="cabinet-qr-note">{CODE_NOTE}</p>
      {sheet}
    </Modal>
  );
}
