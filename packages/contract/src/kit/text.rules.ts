// Text as people type and paste it: cleaned once, by the field that takes it, before anything judges it.

/** Drawn as nothing: marks of format and direction, fillers, variation selectors; and half characters. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Like `UNSEEN`, without what emoji and some scripts are joined by. */
const UNSEEN_IN_PROSE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const VISIBLE = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;
/** Drawn as a blank. */
const BRAILLE_BLANK = /\u2800/g;
/** Voiced marks of half width count: in NFKC they are marks. */
const HEAPED = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const WIDE_ASCII = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g;
const DASHES = /\p{Pd}|\u2212/gu;
const LABEL = /^\p{Script=Han}+:?/u;

/** A Unicode form in linear time: more marks on a letter than any script has are cut, sorting 100,000 takes seconds. */
export function unicodeForm(text: string, form: "NFC" | "NFKC"): string {
  return text.replace(HEAPED, "$1").normalize(form);
}

/** Prose: composed characters (NFC), `\n` as the line break, no controls, no marks of direction. */
export function cleanProse(text: string): string {
  const clean = unicodeForm(text, "NFC")
    .replace(BREAKS, "\n")
    .replace(CONTROLS, "")
    .replace(UNSEEN_IN_PROSE, "");
  return VISIBLE.test(clean.replace(UNSEEN, "").replace(BRAILLE_BLANK, "")) ? clean.trim() : "";
}

/** Words of a search: wide letters and digits as plain ones, single blanks. Wide punctuation stays: names have it. */
export function cleanSearch(text: string): string {
  return cleanProse(text)
    .replace(UNSEEN, "")
    .replace(WIDE_ASCII, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\s+/g, " ");
}

/** Characters of the longest code with room to spare; NFKC makes eighteen characters of one. */
const LONGEST = 10_000;

/** Plain form (NFKC) without anything unseen; each dash is `-`. A longer text is no code and stays. */
export function plainForm(text: string): string {
  if (text.length > LONGEST) return text;
  return unicodeForm(text, "NFKC").replace(UNSEEN, "").replace(DASHES, "-").trim();
}

/** A code in its plain form (NFKC), without anything unseen and without blanks; each dash is `-`. */
export function cleanCode(text: string): string {
  return plainForm(text).replace(/\s+/g, "");
}

/** Patterns of digits and capitals alone: people group them by blanks, dashes, dots and brackets. Lists are none. */
const IS_GROUPED = /^\^(?:[[\]()|\\dA-Z0-9-]|\{\d+(?:,\d*)?\})+\$$/;

/** A long number as spreadsheet programs shorten it; without point and sign it would be a code of capitals and digits. */
const SCIENTIFIC = /^\d(?:\.\d+)?E\+\d+$|^\d\.\d+E\d+$/;

export const isScientific = (text: string) => SCIENTIFIC.test(plainForm(text).toUpperCase());

/** Forms of a code, from what was typed to its bare digits and capitals. */
function* formsOf(text: string, isGrouped: boolean): Generator<string> {
  yield text.replace(UNSEEN, "");
  yield plainForm(text);
  if (!isGrouped || isScientific(text)) return;
  const code = cleanCode(text).replace(LABEL, "").toUpperCase();
  yield code;
  yield code.replace(/[-+.()[\]·]/g, "");
}

/** First form of the text that fits the pattern of its field; the text itself if none does. */
export function fittingCode(text: string, pattern: RegExp): string {
  const isGrouped = IS_GROUPED.test(pattern.source);
  for (const form of formsOf(text, isGrouped)) if (pattern.test(form)) return form;
  return text;
}

/** Facts of a schema that decide how its text is cleaned. */
export interface TextFacts {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  "x-name"?: true;
  "x-phone"?: string;
  /** `raw`: passwords, signed texts and HTML are taken as they come. `code`: an identifier without a pattern. */
  "x-text"?: "raw" | "code";
  properties?: Record<string, TextFacts>;
  items?: TextFacts;
  anyOf?: readonly TextFacts[];
}

/** A pattern for a part of the text, as something visible, is no form. */
const isForm = (pattern: string) => pattern.startsWith("^");

/**
 * How a field cleans its text; null: not at all, or by a keyword of its own (names, phones). `isQuery`: without a pattern
 * it is a search.
 */
export function cleanerOf(facts: TextFacts, isQuery: boolean): ((text: string) => string) | null {
  const { type, enum: words, const: only, format, pattern, "x-text": form } = facts;
  if (![type].flat().includes("string") || words || only !== undefined || format) return null;
  if (form === "raw" || facts["x-name"]) return null;
  if (facts["x-phone"]) return facts["x-phone"] === "SEARCH" ? cleanSearch : null;
  if (form === "code") return cleanCode;
  if (pattern && isForm(pattern)) {
    const fits = new RegExp(pattern, "u");
    return (text) => fittingCode(text, fits);
  }
  return isQuery ? cleanSearch : cleanProse;
}

type Cleaner = (value: unknown) => unknown;

/** Cleans each text of a value by its schema, in place; null if the schema has no text. */
export function inputCleaner(facts: TextFacts, isQuery: boolean): Cleaner | null {
  const clean = cleanerOf(facts, isQuery);
  if (clean) return (value) => (typeof value === "string" ? clean(value) : value);
  const parts = [facts, ...(facts.anyOf ?? [])];
  const fields = new Map<string, Cleaner>();
  for (const { properties = {} } of parts) {
    for (const [name, field] of Object.entries(properties)) {
      const cleaner = inputCleaner(field, isQuery);
      if (cleaner) fields.set(name, cleaner);
    }
  }
  const item = facts.items ? inputCleaner(facts.items, isQuery) : null;
  if (fields.size === 0 && !item) return null;
  return (value) => {
    if (Array.isArray(value)) {
      if (item) for (const [at, each] of value.entries()) value[at] = item(each);
    } else if (typeof value === "object" && value !== null) {
      const record = value as Record<string, unknown>;
      for (const [name, cleaner] of fields) {
        if (Object.hasOwn(record, name)) record[name] = cleaner(record[name]);
      }
    }
    return value;
  };
}
