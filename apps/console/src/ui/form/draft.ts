// Unsaved input of form pages, in sessionStorage: it survives a reload, a crash and the end of the session.
import type { TObject } from "typebox";
import { currentSession, ownerOf } from "../../kit/session.ts";

export type Values = Readonly<Record<string, unknown>>;

interface Draft {
  /** The form's initial values, as JSON. */
  base: string;
  /** Only what differs from them. */
  values: Values;
}

const SECRET = /password|secret|key|token|code|pin$/i;

/** Secrets, whole phone numbers and codes are never written down. */
function mayKeep(schema: TObject, name: string): boolean {
  const field = schema.properties[name];
  return field !== undefined && !SECRET.test(name) && !("x-phone" in field);
}

const textOf = (value: unknown) => JSON.stringify(value ?? null);

const keyOf = (name: string) => `cupboard:draft:${ownerOf(currentSession())}:${name}`;

export function keepDraft(name: string, schema: TObject, initial: Values, typed: Values): void {
  const values = Object.fromEntries(
    Object.entries(typed)
      .filter(([field]) => mayKeep(schema, field))
      .map(([field, value]) => [field, value ?? null])
      .filter(([field, value]) => textOf(value) !== textOf(initial[field as string])),
  );
  const draft: Draft = { base: JSON.stringify(initial), values };
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(draft));
  } catch {
    // Full or forbidden: the form itself still has the input.
  }
}

/** Input that was not saved, and whether the record has changed since; null: there is none. */
export function readDraft(
  name: string,
  initial: Values,
): { values: Values; isOutdated: boolean } | null {
  try {
    const draft: Draft | null = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "null");
    if (!draft || Object.keys(draft.values).length === 0) return null;
    return { values: draft.values, isOutdated: draft.base !== JSON.stringify(initial) };
  } catch {
    return null;
  }
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name));
}
