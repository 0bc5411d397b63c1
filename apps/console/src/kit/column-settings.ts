// Which columns of a list a user sees and in which order: kept per user in the browser.
import { useMemo } from "react";
import { create } from "zustand";
import { useSignedIn } from "./session.ts";

export interface ColumnSettings {
  /** Keys of the columns that are not shown. */
  hidden: readonly string[];
  /** Keys in the order wanted; columns that are not named keep their place behind. */
  order: readonly string[];
}

const untouched: ColumnSettings = { hidden: [], order: [] };
const settingsStore = create<Record<string, ColumnSettings>>(() => ({}));

function isKeys(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === "string");
}

function read(key: string): ColumnSettings {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<ColumnSettings> | null;
    return isKeys(kept?.hidden) && isKeys(kept.order)
      ? { hidden: kept.hidden, order: kept.order }
      : untouched;
  } catch {
    return untouched;
  }
}

/** Settings of the list `pageKey` for the signed-in user, and how to change them. */
export function useColumnSettings(
  pageKey: string,
): [ColumnSettings, (settings: ColumnSettings | null) => void] {
  const { tenantId, username } = useSignedIn();
  const key = `columns:${tenantId}:${username}:${pageKey}`;
  const kept = useMemo(() => read(key), [key]);
  const changed = settingsStore((state) => state[key]);
  return [
    changed ?? kept,
    (next) => {
      if (next) localStorage.setItem(key, JSON.stringify(next));
      else localStorage.removeItem(key);
      settingsStore.setState({ [key]: next ?? untouched });
    },
  ];
}
