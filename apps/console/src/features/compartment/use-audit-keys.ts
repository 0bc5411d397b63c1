// Keys while cells are counted: they work wherever the focus is, except where somebody types.
import { useEffect, useEffectEvent } from "react";

/** `handle` says whether the key, in lower case, meant something to it. */
export function useAuditKeys(handle: (key: string) => boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (
      !(target instanceof Element) ||
      target.closest("input[type=text], textarea, [role=dialog]")
    ) {
      return;
    }
    // A key held down is one intent: a door must not open again and again.
    if (event.repeat && !key.startsWith("Arrow")) return;
    // Enter on a button is that button's own, except on the doors.
    if (key === "Enter" && target.closest("button, a") && !target.closest("[data-no]")) return;
    if (handle(key.length === 1 ? key.toLowerCase() : key)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
