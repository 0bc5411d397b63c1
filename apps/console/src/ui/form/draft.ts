// Unsaved input of form pages, in sessionStorage: it survives a reload, a crash and the end of the session.
import type { TObject } from "typebox";
import { currentSession, ownerOf } from "../../kit/session.ts";

export type Values = Readonly<Record<string, unknown>>;

interface Draft {
  /** The form's initial values, as JSON. */
  base: string;
  /** Only what differs from them. */
  values: Values;
  /** Fields that differ, too, but must not be written down. */
  omitted: string[];
}

/** `code` alone is the number of a record, such as 门店编码. */
const SECRET = /password|secret|key|token|.code|pin$/i;

/** Secrets, whole phone numbers and codes are never written down. */
function mayKeep(schema: TObject, name: string): boolean {
  const field = schema.properties[name];
  return field !== undefined && !SECRET.test(name) && !("x-phone" in field);
}

const textOf = (value: unknown) => JSON.stringify(value ?? null);

const keyOf = (name: string) => `cupboard:draft:${ownerOf(currentSession())}:${name}`;

export function keepDraft(name: string, schema: TObject, initial: Values, typed: Values): void {
  const changed = Object.entries(typed)
    .map(([field, value]) => [field, value ?? null] as const)
    .filter(([field, value]) => textOf(value) !== textOf(initial[field]));
  const kept = changed.filter(([field]) => mayKeep(schema, field));
  const omitted = changed.filter((each) => !kept.includes(each)).map(([field]) => field);
  const draft: Draft = { base: JSON.stringify(initial), values: Object.fromEntries(kept), omitted };
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(draft));
  } catch {
    // Full or forbidden: the form itself still has the input.
  }
}

export interface Restored extends Pick<Draft, "values" | "omitted"> {
  /** The record has changed since. */
  isOutdated: boolean;
}

/** Input that was not saved; null: there is none. */
export function readDraft(name: string, initial: Values): Restored | null {
  try {
    const draft: Draft | null = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "null");
    if (!draft) return null;
    const { base, values, omitted } = draft;
    if (Object.keys(values).length + omitted.length === 0) return null;
    return { values, omitted, isOutdated: base !== JSON.stringify(initial) };
  } catch {
    return null;
  }
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name));
}
