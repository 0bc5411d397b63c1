// Keyboard shortcuts of the stock audit: work wherever the focus is, except in text fields.
import { useEffect, useEffectEvent } from "react";

/** `handle` gets the key in lower case and returns whether it handled it. */
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
    // Ignores auto-repeat: a held key must not open a door several times.
    if (event.repeat && !key.startsWith("Arrow")) return;
    // Enter on a button activates that button, except on the doors.
    if (key === "Enter" && target.closest("button, a") && !target.closest("[data-no]")) return;
    if (handle(key.length === 1 ? key.toLowerCase() : key)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
