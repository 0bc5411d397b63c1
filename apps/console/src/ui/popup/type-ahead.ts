// Type-ahead of menus and lists: keys typed in quick succession name the item to go to.
import { useRef } from "react";

const PAUSE_MS = 600;

/** Returns the index of the item that the key leads to, or -1. */
export function useTypeAhead(): (key: string, labels: readonly string[], from: number) => number {
  const typed = useRef({ text: "", at: 0 });
  return (key, labels, from) => {
    const now = Date.now();
    const { text, at } = typed.current;
    const longer = now - at > PAUSE_MS ? key : text + key;
    const found = typeAhead(labels, longer, from);
    // No item is meant by both: the key begins a new search.
    typed.current = { text: found < 0 ? key : longer, at: now };
    return found < 0 ? typeAhead(labels, key, from) : found;
  };
}

/** One letter goes to the next item that begins with it, several to the first one. */
export function typeAhead(labels: readonly string[], text: string, from: number): number {
  const begins = (label: string) => label.toLowerCase().startsWith(text.toLowerCase());
  const order = labels.map((_, index) => (from + 1 + index) % labels.length);
  const matches = text.length === 1 ? order : order.toSorted((one, other) => one - other);
  return matches.find((index) => begins(labels[index] ?? "")) ?? -1;
}
