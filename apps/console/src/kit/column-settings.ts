// Column settings of each list, kept in the browser and saved with the account.
import { useMemo } from "react";
import { create } from "zustand";
import type { ColumnChoices, ColumnSettings } from "./preference.rules.ts";
import { currentSession, useSignedIn } from "./session.ts";
import { markUnsaved, ownKey } from "./unsaved.ts";

export const COLUMNS = "columns:";
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

function write(key: string, settings: ColumnSettings | null): void {
  if (settings) localStorage.setItem(key, JSON.stringify(settings));
  else localStorage.removeItem(key);
  settingsStore.setState({ [key]: settings ?? untouched });
}

function prefix(): string {
  const session = currentSession();
  return session ? `${COLUMNS}${ownKey(session)}:` : COLUMNS;
}

/** The signed-in user's settings by list title. */
export function columnChoices(): ColumnChoices {
  const start = prefix();
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(start));
  return Object.fromEntries(keys.map((key) => [key.slice(start.length), read(key)]));
}

/** Applies settings that were changed in another browser. */
export function adoptColumns(list: string, settings: ColumnSettings | null): void {
  write(`${prefix()}${list}`, settings);
}

/** Resets all lists to their default columns. */
export function resetColumns(): void {
  const lists = Object.keys(columnChoices());
  for (const list of lists) adoptColumns(list, null);
  markUnsaved(...lists.map((list) => `${COLUMNS}${list}`));
}

/** Settings of the list `pageKey` for the signed-in user, and their setter. */
export function useColumnSettings(
  pageKey: string,
): [ColumnSettings, (settings: ColumnSettings | null) => void] {
  const key = `${COLUMNS}${ownKey(useSignedIn())}:${pageKey}`;
  const kept = useMemo(() => read(key), [key]);
  const changed = settingsStore((state) => state[key]);
  return [
    changed ?? kept,
    (next) => {
      write(key, next);
      markUnsaved(`${COLUMNS}${pageKey}`);
    },
  ];
}

/** Number of lists with changed column settings. */
export function useChosenColumns(): number {
  settingsStore();
  return Object.keys(columnChoices()).length;
}
