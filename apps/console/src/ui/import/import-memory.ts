// Titles that a person has given to columns of an import, kept in the browser for the next file.
import { currentSession } from "../../kit/session.ts";
import { ownKey } from "../../kit/unsaved.ts";
import type { KnownTitles } from "./import.rules.ts";

/** Titles of one import that are kept. */
const MOST = 100;

function storageKey(key: string): string {
  const session = currentSession();
  return `import:${session ? ownKey(session) : ""}:${key}`;
}

export function knownTitles<Name extends string>(
  key: string,
  names: readonly Name[],
): KnownTitles<Name> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(key)) ?? "{}");
    const pairs = Object.entries(Object(kept)).flatMap(([title, column]) => {
      const name = names.find((each) => each === column);
      return name ? [[title, name] as const] : [];
    });
    return Object.fromEntries(pairs);
  } catch {
    return {};
  }
}

export function keepTitles<Name extends string>(
  key: string,
  known: KnownTitles<Name>,
  chosen: KnownTitles<Name>,
): void {
  const kept = Object.entries({ ...known, ...chosen }).slice(-MOST);
  localStorage.setItem(storageKey(key), JSON.stringify(Object.fromEntries(kept)));
}
