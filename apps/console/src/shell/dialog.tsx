// Modal dialog on the native `<dialog>`: traps the focus and makes the rest of the page inert.
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { Glyph } from "./glyph.tsx";
import "./dialog.css";

export interface DialogProps {
  title: string;
  /** In pixels, if the screen is wide enough. */
  width: number;
  /** Only its close button closes it: neither Escape nor a click outside. */
  isPersistent?: boolean;
  /** At the right edge in full height; a click outside closes it. */
  isDrawer?: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { title, width, isPersistent = false, isDrawer = false, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A layout effect ends while the dialog is still in the page, so that `close` returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      data-drawer={isDrawer}
      aria-labelledby={titleId}
      style={{ width }}
      closedby="none"
      onClick={({ target, currentTarget }) => {
        if (isDrawer && target === currentTarget) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        if (!isPersistent) onClose();
      }}
      onCancel={(event) => event.preventDefault()}
    >
      <header className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon-button" aria-label="关闭" onClick={onClose}>
          <Glyph name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
