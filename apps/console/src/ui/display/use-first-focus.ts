// Moves the focus into a dialog or drawer before a person can type past it, and back.
import { useEffect, useEffectEvent, useLayoutEffect } from "react";

interface Focusable {
  focus: (options: FocusOptions) => void;
}

/**
 * Runs on mount: antd focuses only the close button or nothing while the dialog opens, and letters
 * typed there are lost. The microtask lets antd note before which element gets the focus back; with
 * `autoFocus` and without motion it would note nothing.
 */
export function useFirstFocus(find: () => Focusable | null | undefined): void {
  const focus = useEffectEvent(() => find()?.focus({ preventScroll: true }));
  useEffect(() => queueMicrotask(focus), []);
}

/** antd leaves the focus on nothing if a drawer with `destroyOnHidden` closes while it opens. */
export function useFocusReturn(isOpen: boolean): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    if (!isOpen || !(opener instanceof HTMLElement)) return;
    return () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body) opener.focus({ preventScroll: true });
      });
  }, [isOpen]);
}
