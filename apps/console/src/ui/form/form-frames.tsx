// Record form in a drawer, a dialog or a page, with a confirmation before unsaved input is
// discarded.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { TObject } from "typebox";
import { confirm } from "../../kit/feedback.ts";
import { releasePage } from "../../kit/leaving.ts";
import { type Path, useNavigate } from "../../kit/paths.ts";
import { Drawer, Modal } from "../display/overlays.tsx";
import { PageCard } from "../display/page-card.tsx";
import { useFirstFocus } from "../display/use-first-focus.ts";
import { dropDraft } from "./draft.ts";
import { RecordForm, type RecordFormProps } from "./record-form.tsx";
import { useLeaveGuard } from "./use-leave-guard.ts";
import "../display/detail-drawer.css";

interface FormFrameProps<Schema extends TObject>
  extends Omit<RecordFormProps<Schema>, "onDone" | "onCancel" | "onDirty" | "onBusy"> {
  open: boolean;
  title: ReactNode;
  onClose: () => void;
  /** In pixels; full width on a phone. */
  width?: number;
}

const mayDiscard = () =>
  confirm({
    title: "放弃未保存的内容？",
    content: "填写的内容未保存，离开后不能恢复。",
    ok: "放弃",
    cancel: "继续填写",
    isDanger: true,
  });

/** Confirms before a frame with unsaved input is closed or its page is left. */
function useGuardedClose(open: boolean, onClose: () => void) {
  const [isDirty, setIsDirty] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  useLeaveGuard(open && isDirty, mayDiscard);
  const close = async () => {
    // A save that is under way can be neither given up nor kept: its answer comes within ten seconds.
    if (isBusy || (isDirty && !(await mayDiscard()))) return;
    setIsDirty(false);
    onClose();
  };
  return { close: () => void close(), onDirty: setIsDirty, onBusy: setIsBusy };
}

const FIELDS = "input:not([type=file], :disabled), textarea:not(:disabled)";

function FramedForm<Schema extends TObject>(props: RecordFormProps<Schema>) {
  const box = useRef<HTMLDivElement>(null);
  useFirstFocus(() => box.current?.querySelector<HTMLElement>(FIELDS));
  return (
    <div ref={box}>
      <RecordForm {...props} />
    </div>
  );
}

/**
 * Restores focus when a frame that was open from the start is unmounted; antd restores it only when
 * a frame closes.
 */
function useFocusBack(open: boolean) {
  const [opener] = useState(() => (open ? document.activeElement : null));
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus();
    },
    [opener],
  );
}

export function FormDrawer<Schema extends TObject>(props: FormFrameProps<Schema>) {
  const { open, title, onClose, width = 480, ...form } = props;
  const { close, ...state } = useGuardedClose(open, onClose);
  useFocusBack(open);
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
      <FramedForm {...form} {...state} onDone={onClose} onCancel={close} />
    </Drawer>
  );
}

export function FormDialog<Schema extends TObject>(props: FormFrameProps<Schema>) {
  const { open, title, onClose, width = 520, ...form } = props;
  const { close, ...state } = useGuardedClose(open, onClose);
  useFocusBack(open);
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
      <FramedForm {...form} {...state} onDone={onClose} onCancel={close} />
    </Modal>
  );
}

interface FormPageProps<Schema extends TObject>
  extends Omit<RecordFormProps<Schema>, "onDone" | "onCancel" | "onDirty" | "onBusy" | "isPage"> {
  title: ReactNode;
  /** Target after saving or leaving. */
  backTo: Path;
}

export function FormPage<Schema extends TObject>(props: FormPageProps<Schema>) {
  const { title, backTo, ...form } = props;
  const { pathname, search } = useLocation();
  const draft = `${pathname}${search}`;
  const navigate = useNavigate();
  const [isDirty, setIsDirty] = useState(false);
  useLeaveGuard(isDirty, async () => {
    const isAgreed = await mayDiscard();
    if (isAgreed) dropDraft(draft);
    return isAgreed;
  });
  const leave = () => void navigate(backTo);
  const done = () => {
    releasePage();
    leave();
  };
  return (
    <PageCard title={title}>
      <RecordForm
        {...form}
        {...{ draft }}
        isPage
        onDone={done}
        onCancel={leave}
        onDirty={setIsDirty}
      />
    </PageCard>
  );
}
