// Dialog with fresh activation codes; asks for confirmation if closed before they are saved.
import type { IssuedCode } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { useState } from "react";
import { confirm } from "../../../kit/feedback.ts";
import { Button } from "../../../ui/display/button.tsx";
import { Modal } from "../../../ui/display/overlays.tsx";
import { useLast } from "../../../ui/display/use-last.ts";
import { ActivationCodes } from "./activation-codes.tsx";

/** Asks before unsaved codes disappear; resolves to true when confirmed. */
export function confirmCodesGone(): Promise<boolean> {
  return confirm({
    title: "激活码未保存",
    content: "激活码关闭后不能再查看，只能重新生成。",
    ok: "仍要关闭",
    cancel: "返回保存",
    isDanger: true,
  });
}

export interface FreshCodes {
  title: string;
  codes: readonly IssuedCode[];
}

export interface CodesDialogProps {
  /** Null while the dialog is closed. */
  fresh: FreshCodes | null;
  onClose: () => void;
}

export function CodesDialog({ fresh, onClose }: CodesDialogProps) {
  const shown = useLast(fresh);
  const [kept, setKept] = useState<FreshCodes | null>(null);

  const close = async () => {
    if (kept === fresh || (await confirmCodesGone())) onClose();
  };

  return (
    <Modal
      open={fresh !== null}
      title={shown?.title}
      width={600}
      mask={{ closable: false }}
      scrollLock={false}
      destroyOnHidden
      footer={
        <Button type="primary" onClick={() => void close()}>
          完成
        </Button>
      }
      onCancel={() => void close()}
    >
      {shown && <ActivationCodes codes={shown.codes} onKept={() => setKept(fresh)} />}
    </Modal>
  );
}
