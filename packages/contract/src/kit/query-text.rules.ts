// Converts the text values of URL filters into typed query fields by the call's schema.
import type { TObject, TSchema } from "typebox";

interface Facts {
  type?: string;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

function readField(schema: TSchema, text: string): string | number | boolean | undefined {
  const facts = schema as Facts;
  if (facts.type === "integer" || facts.type === "number") {
    const number = Number(text);
    const isNumber =
      facts.type === "integer" ? Number.isSafeInteger(number) : Number.isFinite(number);
    const isWithin =
      number >= (facts.minimum ?? -Infinity) && number <= (facts.maximum ?? Infinity);
    return isNumber && isWithin ? number : undefined;
  }
  if (facts.type === "boolean") {
    return text === "true" ? true : text === "false" ? false : undefined;
  }
  if (facts.enum && !facts.enum.includes(text)) return undefined;
  return [...text].slice(0, facts.maxLength).join("");
}

/** Parses the fields of `schema` from URL text; drops empty, unknown and invalid values. */
export function queryFromText(
  schema: TObject,
  texts: Readonly<Record<string, string>>,
): Record<string, string | number | boolean> {
  const query: Record<string, string | number | boolean> = {};
  for (const [name, field] of Object.entries(schema.properties)) {
    const text = texts[name]?.trim();
    const value = text ? readField(field, text) : undefined;
    if (value !== undefined) query[name] = value;
  }
  return query;
}
