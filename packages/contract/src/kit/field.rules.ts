// Checks of single values by the schema of their field, with a sentence for people: forms, and lines of imports.

import type { Static, TObject, TSchema } from "typebox";
import { nameProblem } from "./name.rules.ts";
import { fitsPhone, PHONE_HINT, type PhoneForm } from "./phone.rules.ts";
import { cleanerOf, isScientific } from "./text.rules.ts";

interface Facts {
  /** A nullable field has two types. */
  type?: string | readonly string[];
  enum?: readonly unknown[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  "x-phone"?: PhoneForm;
  "x-name"?: true;
  "x-text"?: "raw" | "code";
  format?: string;
  examples?: readonly string[];
  minimum?: number;
  maximum?: number;
  items?: Facts;
  minItems?: number;
  maxItems?: number;
}

const typesOf = (facts: Facts | undefined): readonly string[] => [facts?.type ?? []].flat();

export function isRequired(schema: TObject, name: string): boolean {
  const field = schema.properties[name] as Facts | undefined;
  const types = typesOf(field);
  // Booleans count as filled: a switch always has a value.
  const mayBeEmpty =
    types.includes("null") ||
    types.includes("boolean") ||
    (types.includes("array") && !field?.minItems);
  const mayBeBlank = types.includes("string") && !field?.minLength && !field?.enum;
  const isListed = (schema.required as readonly string[] | undefined)?.includes(name) ?? false;
  return isListed && !mayBeEmpty && !mayBeBlank;
}

/** A day or an ISO time with its zone, as form values have them; a day that the calendar does not have is none. */
export function isDateText(text: string): boolean {
  const [, day = "", time] = /^(\d{4}-\d\d-\d\d)(T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const ms = Date.parse(`${day}T00:00:00Z`);
  const isOfCalendar = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
  return isOfCalendar && (time === undefined || !Number.isNaN(Date.parse(text)));
}

function textProblem(facts: Facts, label: string, typed: string): string | null {
  // The server cleans it alike.
  const text = cleanerOf(facts, false)?.(typed) ?? typed;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, examples } = facts;
  const { format, "x-phone": phone } = facts;
  if (phone && !fitsPhone(phone, text)) return `${label}应为 ${PHONE_HINT}`;
  if ((format === "date" || format === "date-time") && !isDateText(text)) {
    const example = format === "date" ? "2026-11-21" : "2026-11-21 18:00";
    return `${label}“${text}”不是可以识别的时间：请从日历中选择，或按 ${example} 的样子填写`;
  }
  const unfit = facts["x-name"] ? nameProblem(text, facts) : null;
  if (unfit) return `${label}${unfit}`;
  const isUnfit = pattern !== undefined && !new RegExp(pattern).test(text);
  if (isUnfit && isScientific(text)) {
    return `${label}“${text}”被表格软件改成了科学计数法，请按原来的数字填写`;
  }
  const { length } = [...text.trim()];
  if (length < minLength) return `${label}至少 ${minLength} 个字`;
  if (length > maxLength) return `${label}最多 ${maxLength} 个字`;
  if (!isUnfit) return null;
  return `${label}的格式不正确${examples ? `，如 ${examples[0]}` : ""}`;
}

function numberProblem(facts: Facts, label: string, number: number): string | null {
  const { minimum, maximum } = facts;
  if (minimum !== undefined && number < minimum) return `${label}不能小于 ${minimum}`;
  if (maximum !== undefined && number > maximum) return `${label}不能大于 ${maximum}`;
  return typesOf(facts).includes("integer") && !Number.isInteger(number)
    ? `${label}须为整数`
    : null;
}

function listProblem(facts: Facts, label: string, list: readonly unknown[]): string | null {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = facts;
  if (list.length === 0 && minItems > 0) return `${label}不能为空`;
  if (list.length < minItems) return `${label}至少 ${minItems} 项`;
  if (list.length > maxItems) return `${label}最多 ${maxItems} 项`;
  const wrong = list.find(
    (item) => typeof item === "string" && items && textProblem(items, label, item),
  );
  return wrong === undefined ? null : `“${wrong}”的格式不正确`;
}

/** Describes the error of a field, or null. An empty value passes here: `isRequired` handles it. */
export function fieldProblem(schema: TSchema, label: string, value: unknown): string | null {
  const facts = schema as Facts;
  if (value === undefined || value === null || value === "") return null;
  if (Array.isArray(value)) return listProblem(facts, label, value);
  if (typeof value === "number") return numberProblem(facts, label, value);
  return typeof value === "string" ? textProblem(facts, label, value) : null;
}

type Values = Readonly<Record<string, unknown>>;

const required = (schema: TObject): readonly string[] => schema.required ?? [];

function emptyValue(field: Facts | undefined): unknown {
  const types = typesOf(field);
  if (types.includes("null")) return null;
  if (types.includes("array")) return [];
  if (types.includes("boolean")) return false;
  return types.includes("string") && !field?.enum ? "" : undefined;
}

/**
 * Values of a form as its schema has them. Required fields that the form does not show have their
 * value in `initial`; those that nobody touched get the empty value. Cleared optional ones go.
 */
export function completeValues(schema: TObject, shown: Values, initial: Values): Values {
  const properties = schema.properties as Readonly<Record<string, Facts | undefined>>;
  const kept = Object.entries(shown).filter(
    ([name, value]) => value !== null || typesOf(properties[name]).includes("null"),
  );
  const filled = required(schema).map((name) => {
    const value = name in shown ? shown[name] : initial[name];
    return [name, value ?? emptyValue(properties[name])] as const;
  });
  return Object.fromEntries([...kept, ...filled]);
}

const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null,
  integer: Number.isInteger,
};

/** True if each field has a value of its type within the bounds of its schema. */
export function fitsSchema<Schema extends TObject>(
  schema: Schema,
  values: unknown,
): values is Static<Schema> {
  const given = new Map<string, unknown>(Object.entries(Object(values)));
  return Object.entries<TSchema>(schema.properties).every(([name, field]) => {
    const value = given.get(name);
    if (value === undefined) return !required(schema).includes(name);
    const { enum: words } = field as Facts;
    const types = typesOf(field as Facts);
    const hasType = types.some((type) => isOfType[type]?.(value) ?? typeof value === type);
    return (
      (types.length === 0 || hasType) &&
      (!words || words.includes(value)) &&
      fieldProblem(field, name, value) === null
    );
  });
}
