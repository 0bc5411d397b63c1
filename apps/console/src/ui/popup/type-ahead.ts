// Type-ahead of menus and lists: keys typed in quick succession name the item to go to.
import { useRef } from "react";

const PAUSE_MS = 600;

/** Returns the index of the item that the key leads to, or -1. */
export function useTypeAhead(): (key: string, labels: readonly string[], from: number) => number {
  const typed = useRef({ text: "", at: 0 });
  return (key, labels, from) => {
    const now = Date.now();
    const { text, at } = typed.current;
    const next = now - at > PAUSE_MS ? key : text + key;
    typed.current = { text: next, at: now };
    return typeAhead(labels, next, from);
  };
}

/** One letter goes to the next item that begins with it, several to the first one. */
export function typeAhead(labels: readonly string[], text: string, from: number): number {
  const begins = (label: string) => label.toLowerCase().startsWith(text.toLowerCase());
  const order = labels.map((_, index) => (from + 1 + index) % labels.length);
  const matches = text.length === 1 ? order : order.toSorted((one, other) => one - other);
  return matches.find((index) => begins(labels[index] ?? "")) ?? -1;
}
