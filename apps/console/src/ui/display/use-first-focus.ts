// Moves the focus into a dialog or drawer before a person can type past it.
import { useEffect, useEffectEvent } from "react";

interface Focusable {
  focus: (options: FocusOptions) => void;
}

/**
 * Runs on mount: antd focuses only the close button or nothing while the dialog opens, and letters
 * typed there are lost. The microtask lets antd note before which element gets the focus back.
 */
export function useFirstFocus(find: () => Focusable | null | undefined): void {
  const focus = useEffectEvent(() => find()?.focus({ preventScroll: true }));
  useEffect(() => queueMicrotask(focus), []);
}
