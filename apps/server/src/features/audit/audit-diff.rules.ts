// What changed between two states of a thing, field by field, whatever their shape.

/** A field by its path, and its value before and after as JSON; null where it was not there. */
export interface FieldChange {
  path: string[];
  before: string | null;
  after: string | null;
}

/** Deeper than this, or longer, is shown as it stands. */
const MAX_DEPTH = 6;
const MAX_FIELDS = 400;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isListOfThings = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null);

/** Names of what is below a value; null for one that is shown as it stands. */
function partsOf(value: unknown): [name: string, part: unknown][] | null {
  if (isPlain(value)) return Object.entries(value);
  if (isListOfThings(value)) return value.map((item, index) => [String(index + 1), item]);
  return null;
}

/** Both states side by side; what stands in one alone has null on the other side. */
export function fieldsOf(before: unknown, after: unknown): FieldChange[] {
  const found: FieldChange[] = [];
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const walk = (path: string[], was: unknown, is: unknown) => {
    if (found.length >= MAX_FIELDS) return;
    const [wasParts, isParts] = [partsOf(was), partsOf(is)];
    const isBranch =
      (wasParts ?? isParts) !== null && (was == null || wasParts) && (is == null || isParts);
    if (!isBranch || path.length >= MAX_DEPTH) {
      if (was !== undefined || is !== undefined)
        found.push({ path, before: json(was), after: json(is) });
      return;
    }
    const [wasBy, isBy] = [new Map(wasParts), new Map(isParts)];
    const names = new Set([...wasBy.keys(), ...isBy.keys()]);
    for (const name of names) walk([...path, name], wasBy.get(name), isBy.get(name));
  };
  walk([], before ?? undefined, after ?? undefined);
  return found.filter(({ path }) => path.length > 0);
}

/** Compared as JSON of the database: the order of names says nothing there. */
export function isChanged({ before, after }: FieldChange): boolean {
  return before !== after;
}
