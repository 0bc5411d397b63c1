// A cabinet's QR code, its number: to be printed and stuck on the door, or kept as a picture.
import type { Cabinet } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import QRCode from "antd/es/qr-code";
import { useEffect, useRef, useState } from "react";
import { toast } from "../../kit/feedback.ts";
import { saveFile } from "../../ui/export-workbook.ts";
import "./cabinet-qr.css";

const LABEL = { width: 560, height: 700, qr: 480, margin: 40 };

/** Code, name and number on white, as one picture. */
function drawLabel(code: HTMLCanvasElement, cabinet: Cabinet): HTMLCanvasElement {
  const { width, height, qr, margin } = LABEL;
  const label = document.createElement("canvas");
  Object.assign(label, { width, height });
  const pen = label.getContext("2d");
  if (!pen) throw new Error("浏览器不能绘制图片");
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, width, height);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(code, margin, margin, qr, qr);
  pen.fillStyle = "#000000";
  pen.textAlign = "center";
  const fontFamily = getComputedStyle(document.body).fontFamily;
  pen.font = `600 40px ${fontFamily}`;
  pen.fillText(cabinet.name, width / 2, qr + margin * 2 + 30, qr);
  pen.font = `32px ${fontFamily}`;
  pen.fillText(cabinet.sn, width / 2, qr + margin * 2 + 90, qr);
  return label;
}

export interface CabinetQrProps {
  /** Null: closed. */
  cabinet: Cabinet | null;
  onClose: () => void;
}

export function CabinetQr({ cabinet, onClose }: CabinetQrProps) {
  const [shown, setShown] = useState(cabinet);
  if (cabinet && cabinet !== shown) setShown(cabinet);
  const frame = useRef<HTMLDivElement>(null);
  const [sheet, setSheet] = useState<HTMLCanvasElement | null>(null);

  const label = (): HTMLCanvasElement | null => {
    const code = frame.current?.querySelector("canvas");
    return code && shown ? drawLabel(code, shown) : null;
  };
  const download = () =>
    label()?.toBlob((picture) => {
      if (picture && shown) saveFile(picture, `${shown.name}-${shown.sn}.png`);
      else toast.error("二维码图片没有生成，请重试");
    });

  useEffect(() => {
    if (!sheet) return;
    sheet.className = "cabinet-print-sheet";
    document.body.append(sheet);
    window.print();
    sheet.remove();
    setSheet(null);
  }, [sheet]);

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
          <Button onClick={() => setSheet(label())}>打印</Button>
          <Button type="primary" onClick={download}>
            下载图片
          </Button>
        </>
      }
    >
      {shown && (
        <div className="cabinet-qr">
          <div ref={frame} className="cabinet-qr-frame">
            <QRCode
              value={shown.sn}
              size={LABEL.qr}
              type="canvas"
              color="#000000"
              bgColor="#ffffff"
              bordered={false}
            />
          </div>
          <b>{shown.name}</b>
          <span>{shown.sn}</span>
        </div>
      )}
    </Modal>
  );
}
