// Pure merge of a user's preferences in this browser with those on the server.
import type { Preference } from "@cabinet/contract/identity/account/account.contract.ts";

/** Query string of a list under a name of the user's own. */
export interface SavedFilter {
  name: string;
  search: string;
}

/** Choices of a user for one list. */
export interface ColumnSettings {
  /** Keys of the hidden columns. */
  hidden: readonly string[];
  /** Keys in the chosen order; columns that are not listed follow in their default order. */
  order: readonly string[];
  filters?: readonly SavedFilter[];
  /** Widths of the columns that the user has changed, in pixels. */
  widths?: readonly { key: string; width: number }[];
}

/** By list title. */
export type ColumnChoices = Readonly<Record<string, ColumnSettings>>;

export interface Merged {
  /** Settings to keep locally; null: the list's default. */
  columns: Record<string, ColumnSettings | null>;
  /** Titles of lists whose settings the server does not have yet. */
  unsaved: string[];
}

/**
 * The server's value wins, except over unsaved local changes. The server never deletes a list (a
 * reset one is null), so local settings that it lacks predate it and are unsaved.
 */
export function mergeColumns(
  here: ColumnChoices,
  unsaved: readonly string[],
  known: Preference["columns"],
): Merged {
  const knownLists = new Set(known.map(({ list }) => list));
  const waiting = new Set(unsaved);
  const changed = known.filter(({ list, choice }) => {
    const mine = Object.hasOwn(here, list) ? here[list] : null;
    return !waiting.has(list) && JSON.stringify(mine) !== JSON.stringify(choice);
  });
  const unknownLists = Object.keys(here).filter(
    (list) => !knownLists.has(list) && !waiting.has(list),
  );
  return {
    columns: Object.fromEntries(changed.map(({ list, choice }) => [list, choice])),
    unsaved: [...unsaved, ...unknownLists],
  };
}
