// Printed QR labels of cabinets: address of the web page, name and number, in a chosen layout.
import { cabinetPagePath } from "@cabinet/contract/orders/app/app-page.rules.ts";
import { type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { PrintSheet } from "../../ui/display/print-sheet.tsx";
import { QrCode } from "../../ui/display/qr-code.tsx";
import { ChoiceBar } from "../../ui/form/choice-bar.tsx";
import "./qr-sheet.css";

export interface QrLabel {
  sn: string;
  name: string;
  tenantName: string;
}

/** Labels in a row of A4 paper; `page`: one on each page, for label printers. */
export type QrLayout = "3" | "2" | "page";
const layouts = [
  ["3", "每行 3 张"],
  ["2", "每行 2 张"],
  ["page", "每页 1 张"],
] as const;

export const labelAddress = (sn: string) => window.location.origin + cabinetPagePath(sn);

export function LabelLayout(props: { layout: QrLayout; onLayout: (layout: QrLayout) => void }) {
  return (
    <ChoiceBar label="排版" choices={layouts} chosen={props.layout} onChoose={props.onLayout} />
  );
}

/** Prints labels; the sheet, which is on paper only, has to be drawn by the caller. */
export function useLabelPrint(): {
  print: (labels: readonly QrLabel[], layout: QrLayout) => void;
  sheet: ReactNode;
} {
  const [printed, setPrinted] = useState<{ labels: readonly QrLabel[]; layout: QrLayout }>();
  const print = (labels: readonly QrLabel[], layout: QrLayout) => {
    flushSync(() => setPrinted({ labels, layout }));
    window.print();
  };
  return { print, sheet: printed && <Sheet {...printed} /> };
}

function Sheet({ labels, layout }: { labels: readonly QrLabel[]; layout: QrLayout }) {
  return (
    <PrintSheet>
      <ul className="qr-sheet" data-layout={layout}>
        {labels.map(({ sn, name, tenantName }) => (
          <li key={sn}>
            <span>{tenantName}</span>
            <QrCode text={labelAddress(sn)} label={sn} />
            <strong>{name}</strong>
            <span>{sn}</span>
            <small>扫码存件 · 取件</small>
          </li>
        ))}
      </ul>
    </PrintSheet>
  );
}

/** Where the codes lead, and when new ones have to be printed. */
export function labelNote(): string {
  const { hostname, origin } = window.location;
  return /^(localhost|127\.|\[::1\])/.test(hostname)
    ? `二维码指向 ${origin}，只在本机打得开：正式打印前，请用公网域名打开后台`
    : `二维码指向 ${origin}，域名更换后须重新打印`;
}
