// 打印二维码: labels of the selected cabinets, in a chosen layout.
import type { Cabinet } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { type ReactNode, useState } from "react";
import {
  LabelLayout,
  labelNote,
  type QrLayout,
  useLabelPrint,
} from "../../../domain/cabinet/qr-sheet.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { Modal } from "../../../ui/display/overlays.tsx";

interface CabinetLabelsProps {
  open: boolean;
  cabinets: readonly Cabinet[];
  onClose: () => void;
  /** Names of the cabinets. */
  children: ReactNode;
}

export function CabinetLabels({ open, cabinets, onClose, children }: CabinetLabelsProps) {
  const [layout, setLayout] = useState<QrLayout>("3");
  const { print, sheet } = useLabelPrint();
  return (
    <Modal
      open={open}
      title="打印二维码"
      width={480}
      scrollLock={false}
      destroyOnHidden
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" onClick={() => print(cabinets, layout)}>
            打印 {cabinets.length} 张
          </Button>
        </>
      }
    >
      {children}
      <LabelLayout layout={layout} onLayout={setLayout} />
      <p className="ui-form-note">{labelNote()}</p>
      {sheet}
    </Modal>
  );
}
