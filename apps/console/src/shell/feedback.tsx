// Toasts and confirmations on top of everything, without the component library.
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { reportError } from "../kit/errors.ts";
import {
  type Confirmation,
  lendFeedback,
  toast as showToast,
  type ToastKind,
  type Undo,
} from "../kit/feedback.ts";
import { Dialog } from "./dialog.tsx";
import { Glyph, type GlyphName } from "./glyph.tsx";
import "./feedback.css";

interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
  undo: Undo | undefined;
}

interface OpenConfirmation extends Confirmation {
  id: number;
  answer: (isAgreed: boolean) => void;
}

const MAX_TOASTS = 4;
const SHOWN_MS: Record<ToastKind, number> = {
  success: 3_000,
  info: 4_000,
  warning: 5_000,
  error: 6_000,
};
/** Long enough to read, to see the row change, and to go there by keyboard. */
const UNDO_MS = 8_000;
const kindGlyph: Record<ToastKind, GlyphName> = {
  success: "check",
  info: "info",
  warning: "alert",
  error: "alert",
};
let lastId = 0;

/** A repeated text prolongs its toast instead of stacking up. */
function withToast(toasts: Toast[], { kind, text, undo }: Omit<Toast, "id">): Toast[] {
  const others = toasts.filter((toast) => toast.text !== text);
  return [...others, { id: ++lastId, kind, text, undo }].slice(-MAX_TOASTS);
}

export function Feedback() {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [confirmations, setConfirmations] = useState<OpenConfirmation[]>([]);

  useEffect(() => {
    lendFeedback({
      toast: (kind, text, undo) => setToasts((current) => withToast(current, { kind, text, undo })),
      confirm: (confirmation) =>
        new Promise((resolve) => {
          const id = ++lastId;
          const answer = (isAgreed: boolean) => {
            setConfirmations((current) => current.filter((other) => other.id !== id));
            resolve(isAgreed);
          };
          if (confirmation.signal?.aborted) return resolve(false);
          confirmation.signal?.addEventListener("abort", () => answer(false));
          setConfirmations((current) => [...current, { ...confirmation, id, answer }]);
        }),
    });
  }, []);

  const [confirmation] = confirmations;
  return (
    <>
      {confirmation && <ConfirmDialog key={confirmation.id} question={confirmation} />}
      <ToastStack
        toasts={toasts}
        onGone={(id) => setToasts((current) => current.filter((toast) => toast.id !== id))}
      />
    </>
  );
}

function ConfirmDialog({ question: confirmation }: { question: OpenConfirmation }) {
  const {
    title,
    content,
    ok = "确定",
    cancel = "取消",
    isDanger = false,
    answer,
    signal,
  } = confirmation;
  const okButton = useRef<HTMLButtonElement>(null);
  // After the dialog's own effect: opening it focuses its close button.
  useLayoutEffect(() => {
    const button = okButton.current;
    button?.focus();
    // At once: a dialog that opens in its place must find the focus where it was before the question.
    const close = () => button?.closest("dialog")?.close();
    signal?.addEventListener("abort", close);
    return () => signal?.removeEventListener("abort", close);
  }, [signal]);
  return (
    <Dialog title={title} width={420} onClose={() => answer(false)}>
      {content && <p className="confirm-text">{content}</p>}
      <div className="confirm-buttons">
        <button type="button" className="shell-button" onClick={() => answer(false)}>
          {cancel}
        </button>
        <button
          type="button"
          className="shell-button"
          data-kind={isDanger ? "danger" : "primary"}
          ref={okButton}
          onClick={() => answer(true)}
        >
          {ok}
        </button>
      </div>
    </Dialog>
  );
}

function ToastStack({ toasts, onGone }: { toasts: Toast[]; onGone: (id: number) => void }) {
  const stack = useRef<HTMLDivElement>(null);
  const newest = toasts.at(-1)?.id;
  useEffect(() => {
    // Hidden and shown again, so that it is above a dialog that was opened since.
    if (stack.current?.matches(":popover-open")) stack.current.hidePopover();
    if (newest !== undefined) stack.current?.showPopover();
  }, [newest]);
  return (
    <div ref={stack} className="toasts" popover="manual" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} onGone={onGone} />
      ))}
    </div>
  );
}

function ToastLine({ toast, onGone }: { toast: Toast; onGone: (id: number) => void }) {
  const { id, kind, text, undo } = toast;
  const [isHeld, setIsHeld] = useState(false);
  const end = useEffectEvent(() => onGone(id));
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(end, undo ? UNDO_MS : SHOWN_MS[kind]);
    return () => clearTimeout(timer);
  }, [kind, undo, isHeld]);
  const takeBack = (run: Undo) => {
    onGone(id);
    run().then(() => showToast.success("已撤销"), reportError);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only keep it on screen.
    <div
      className="toast"
      data-kind={kind}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Glyph name={kindGlyph[kind]} />
      <span>{text}</span>
      {undo && (
        <button type="button" className="toast-undo" onClick={() => takeBack(undo)}>
          撤销
        </button>
      )}
      <button type="button" aria-label="关闭提示" onClick={() => onGone(id)}>
        <Glyph name="close" />
      </button>
    </div>
  );
}
