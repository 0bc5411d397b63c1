// Columns and saved filters of each list, kept in the browser and saved with the account.
import { useMemo } from "react";
import { create } from "zustand";
import type { ColumnChoices, ColumnSettings, SavedFilter } from "./preference.rules.ts";
import { currentSession, useSignedIn } from "./session.ts";
import { markUnsaved, ownKey } from "./unsaved.ts";

export const COLUMNS = "columns:";
const untouched: ColumnSettings = { hidden: [], order: [] };
const settingsStore = create<Record<string, ColumnSettings>>(() => ({}));

function isKeys(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === "string");
}

function areFilters(value: unknown): value is SavedFilter[] {
  return (
    Array.isArray(value) &&
    value.every(({ name, search }) => typeof name === "string" && typeof search === "string")
  );
}

function areWidths(value: unknown): value is NonNullable<ColumnSettings["widths"]> {
  return (
    Array.isArray(value) &&
    value.every(({ key, width }) => typeof key === "string" && typeof width === "number")
  );
}

function read(key: string): ColumnSettings {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<ColumnSettings> | null;
    if (!isKeys(kept?.hidden) || !isKeys(kept.order)) return untouched;
    const { hidden, order, filters, widths } = kept;
    return {
      hidden,
      order,
      ...(areFilters(filters) && { filters }),
      ...(areWidths(widths) && { widths }),
    };
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

/** Settings with the default columns; null if nothing else is chosen. */
export function withDefaultColumns({ filters }: ColumnSettings): ColumnSettings | null {
  return filters?.length ? { hidden: [], order: [], filters } : null;
}

const hasOwnColumns = ({ hidden, order, widths = [] }: ColumnSettings) =>
  hidden.length + order.length + widths.length > 0;

/** Resets all lists to their default columns. */
export function resetColumns(): void {
  const choices = columnChoices();
  for (const [list, choice] of Object.entries(choices)) {
    adoptColumns(list, withDefaultColumns(choice));
  }
  markUnsaved(...Object.keys(choices).map((list) => `${COLUMNS}${list}`));
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
  return Object.values(columnChoices()).filter(hasOwnColumns).length;
}
