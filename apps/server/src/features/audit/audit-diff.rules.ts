// What changed between two states of a thing, field by field, whatever their shape.

/** A field by its path, with its value before and after; undefined where it was not there. */
export interface FieldChange {
  /** Names of fields; `#…` is one of a list: by its serial number, or its place. */
  path: string[];
  before: unknown;
  after: unknown;
}

/** What lies deeper is shown as it stands, and so many fields at most. */
const MAX_DEPTH = 6;
const MAX_FIELDS = 400;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Things of a list keep their names where they have some, so that one more in front moves nothing. */
function namesIn(list: readonly unknown[]): string[] {
  for (const key of ["sn", "no", "key"]) {
    const names = list.map((item) => (isPlain(item) ? item[key] : undefined));
    if (names.every((name) => name !== undefined) && new Set(names).size === names.length) {
      return names.map(String);
    }
  }
  return list.map((_, index) => `第 ${index + 1} 项`);
}

/** Names of what is below a value; null for one that is shown as it stands. */
function partsOf(value: unknown): Map<string, unknown> | null {
  if (isPlain(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value) || !value.some(isPlain)) return null;
  const names = namesIn(value);
  return new Map(value.map((item, index) => [`#${names[index]}`, item]));
}

/** Both states side by side. */
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
