// Values kept in the browser's storage that components can subscribe to.
import { useSyncExternalStore } from "react";

export interface Kept<Value> {
  get(): Value;
  set(value: Value): void;
  use(): Value;
}

/** A value that survives a reload; without storage (private mode) it lives as long as the page. */
export function kept<Value>(area: "session" | "local", name: string, initial: Value): Kept<Value> {
  const key = `pickup:${name}`;
  const listeners = new Set<() => void>();
  let value = read();

  function read(): Value {
    try {
      const text = (area === "session" ? sessionStorage : localStorage).getItem(key);
      return text === null ? initial : JSON.parse(text);
    } catch {
      return initial;
    }
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  function set(next: Value): void {
    value = next;
    try {
      (area === "session" ? sessionStorage : localStorage).setItem(key, JSON.stringify(next));
    } catch {
      // Storage is full or forbidden.
    }
    for (const listener of listeners) listener();
  }

  // Another tab signed in or out.
  addEventListener("storage", (event) => {
    if (event.key !== key) return;
    value = read();
    for (const listener of listeners) listener();
  });

  const get = () => value;
  return { get, set, use: () => useSyncExternalStore(subscribe, get) };
}
