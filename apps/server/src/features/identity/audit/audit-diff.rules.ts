// Field-by-field difference of two states of a record, whatever their shape.

/** A field with its value before and after; undefined where it was absent. */
export interface FieldChange {
  /** Field names; `#…` names a list item by its serial number or its position. */
  path: string[];
  before: unknown;
  after: unknown;
}

/** Deeper values are shown unsplit; further fields are dropped. */
const MAX_DEPTH = 6;
const MAX_FIELDS = 400;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Names list items by their key where all have one, so that an item inserted in front shifts
 * nothing.
 */
function namesIn(list: readonly unknown[]): string[] {
  for (const key of ["sn", "no", "key"]) {
    const names = list.map((item) => (isPlain(item) ? item[key] : undefined));
    if (names.every((name) => name !== undefined) && new Set(names).size === names.length) {
      return names.map(String);
    }
  }
  return list.map((_, index) => `第 ${index + 1} 项`);
}

/** The parts of a value by name; null for a value that is shown unsplit. */
function partsOf(value: unknown): Map<string, unknown> | null {
  if (isPlain(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value) || !value.some(isPlain)) return null;
  const names = namesIn(value);
  return new Map(value.map((item, index) => [`#${names[index]}`, item]));
}

/** All fields of both states, side by side. */
export function fieldsOf(before: unknown, after: unknown): FieldChange[] {
  const found: FieldChange[] = [];
  function walk(path: string[], was: unknown, is: unknown): void {
    const [wasParts, isParts] = [partsOf(was), partsOf(is)];
    const canSplit = (value: unknown, parts: unknown) => value == null || parts !== null;
    const isBranch =
      (wasParts ?? isParts) !== null && canSplit(was, wasParts) && canSplit(is, isParts);
    if (!isBranch || path.length >= MAX_DEPTH) {
      if (path.length > 0 && found.length < MAX_FIELDS)
        found.push({ path, before: was, after: is });
      return;
    }
    for (const name of new Set([...(wasParts?.keys() ?? []), ...(isParts?.keys() ?? [])])) {
      walk([...path, name], wasParts?.get(name), isParts?.get(name));
    }
  }
  walk([], before ?? undefined, after ?? undefined);
  return found;
}

export function isChanged({ before, after }: FieldChange): boolean {
  return JSON.stringify(before ?? null) !== JSON.stringify(after ?? null);
}
