// A record's form in a drawer or in a dialog; closing it with something typed asks first.
import Drawer from "antd/es/drawer";
import Modal from "antd/es/modal";
import { type ReactNode, useState } from "react";
import type { TObject } from "typebox";
import { confirm } from "../kit/feedback.ts";
import { RecordForm, type RecordFormProps } from "./record-form.tsx";
import "./detail-drawer.css";

interface FormFrameProps<Schema extends TObject>
  extends Omit<RecordFormProps<Schema>, "onDone" | "onCancel" | "onDirty"> {
  open: boolean;
  title: ReactNode;
  onClose: () => void;
  /** In pixels; a phone shows it over the whole width. */
  width?: number;
}

function useGuardedClose(onClose: () => void) {
  const [isDirty, setIsDirty] = useState(false);
  const close = async () => {
    const mayClose =
      !isDirty ||
      (await confirm({
        title: "放弃未保存的内容？",
        content: "填写的内容还没有保存，关闭后不能恢复。",
        ok: "放弃",
        cancel: "继续填写",
        isDanger: true,
      }));
    if (!mayClose) return;
    setIsDirty(false);
    onClose();
  };
  return { close: () => void close(), setIsDirty };
}

export function FormDrawer<Schema extends TObject>(props: FormFrameProps<Schema>) {
  const { open, title, onClose, width = 480, ...form } = props;
  const { close, setIsDirty } = useGuardedClose(onClose);
  return (
    <Drawer
      open={open}
      title={title}
      size={width}
      classNames={{ wrapper: "ui-drawer" }}
      mask={{ closable: false }}
      destroyOnHidden
      onClose={close}
    >
      <RecordForm {...form} onDone={onClose} onCancel={close} onDirty={setIsDirty} />
    </Drawer>
  );
}

export function FormDialog<Schema extends TObject>(props: FormFrameProps<Schema>) {
  const { open, title, onClose, width = 520, ...form } = props;
  const { close, setIsDirty } = useGuardedClose(onClose);
  return (
    <Modal
      open={open}
      title={title}
      width={width}
      footer={null}
      mask={{ closable: false }}
      scrollLock={false}
      destroyOnHidden
      onCancel={close}
    >
      <RecordForm {...form} onDone={onClose} onCancel={close} onDirty={setIsDirty} />
    </Modal>
  );
}
