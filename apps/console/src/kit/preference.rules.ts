// What this browser and the server know of a user's choices, brought together; pure.
import type { Preference } from "@cabinet/contract/account/account.contract.ts";

export interface ColumnSettings {
  /** Keys of the columns that are not shown. */
  hidden: readonly string[];
  /** Keys in the order wanted; columns that are not named keep their place behind. */
  order: readonly string[];
}

/** By the title of the list. */
export type ColumnChoices = Readonly<Record<string, ColumnSettings>>;

export interface Merged {
  /** To be kept here; null: the list as it comes. */
  columns: Record<string, ColumnSettings | null>;
  /** Titles that the server does not know of yet. */
  unsaved: string[];
}

/**
 * What the server knows counts, but for what was changed here and has not come through yet. It never forgets
 * a list (one reset is null), so a choice that it has not heard of is older than it and is told.
 */
export function mergeColumns(
  here: ColumnChoices,
  unsaved: readonly string[],
  known: Preference["columns"],
): Merged {
  const told = new Set(known.map(({ list }) => list));
  const waiting = new Set(unsaved);
  const changed = known.filter(({ list, choice }) => {
    const mine = Object.hasOwn(here, list) ? here[list] : null;
    return !waiting.has(list) && JSON.stringify(mine) !== JSON.stringify(choice);
  });
  const untold = Object.keys(here).filter((list) => !told.has(list) && !waiting.has(list));
  return {
    columns: Object.fromEntries(changed.map(({ list, choice }) => [list, choice])),
    unsaved: [...unsaved, ...untold],
  };
}
