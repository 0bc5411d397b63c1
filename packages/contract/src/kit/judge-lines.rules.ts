// Lines of an import: the draft that the cells of a line make by the noun's schema, and its result. Apart from its words,
// which contracts need without the checks of forms.
import type { Static, TObject } from "typebox";
import { fieldProblem, isRequired } from "./field.rules.ts";
import type { DraftVerdict, ImportCells, LineResult } from "./import.rules.ts";
import { normalizeName } from "./name.rules.ts";
import { normalizePhone } from "./phone.rules.ts";
import { cleanerOf, type TextFacts } from "./text.rules.ts";

type Value = string | number | null;

function cleanValue(facts: TextFacts, text: string): Value {
  if ([facts.type].flat().includes("number")) {
    const typed = text.normalize("NFKC").trim();
    if (typed === "") return null;
    return /^[+-]?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN;
  }
  if (facts["x-name"]) return normalizeName(text);
  if (facts["x-phone"]) return normalizePhone(text);
  return cleanerOf(facts, false)?.(text) ?? text;
}

function cellProblem(schema: TObject, name: string, value: Value): string | null {
  const facts = schema.properties[name] as TextFacts & { title: string };
  if (value === "") return isRequired(schema, name) ? `${facts.title}为空` : null;
  if (Number.isNaN(value)) return `${facts.title}应为数字`;
  return fieldProblem(facts, facts.title, value);
}

export interface LineRules<Schema extends TObject> {
  /** Texts and numbers with titles. */
  schema: Schema;
  /** Problem beyond single fields. */
  problem?: (draft: Static<Schema>) => string | null;
  /** No two lines may have the same; `taken`: those of records, each with the reason. */
  key: keyof Static<Schema> & string;
  taken?: ReadonlyMap<string, string>;
}

/** Judges each line by itself, against the others and against what is there; the first of two equal lines is valid. */
export function judgeDrafts<Schema extends TObject, Line extends { line: number }>(
  lines: readonly Line[],
  cellsOf: (line: Line) => ImportCells,
  { schema, problem, key, taken }: LineRules<Schema>,
): DraftVerdict<Static<Schema>>[] {
  const seen = new Map<unknown, number>();
  const names = Object.keys(schema.properties);
  const { title } = schema.properties[key] as { title?: string };
  return lines.map((given) => {
    const { line } = given;
    const cells = cellsOf(given);
    const values = names.map((name) => {
      const facts = schema.properties[name] as TextFacts;
      return [name, cleanValue(facts, cells[name] ?? "")] as const;
    });
    const draft = Object.fromEntries(values) as Static<Schema>;
    const verdict = (result: LineResult, message: string) => ({ line, draft, result, message });
    const wrong =
      values.map(([name, value]) => cellProblem(schema, name, value)).find((each) => each) ??
      problem?.(draft);
    if (wrong) return verdict("INVALID", wrong);
    const own = draft[key];
    const first = seen.get(own);
    if (first !== undefined) return verdict("DUPLICATE", `与第 ${first} 行的${title}重复`);
    seen.set(own, line);
    const reason = taken?.get(String(own));
    return reason ? verdict("EXISTS", reason) : verdict("READY", "可导入");
  });
}
