// Translates the texts of an API document; english.json has those of third parties, app and cabinets, not the console's.
import texts from "./english.json" with { type: "json" };

const english = new Map(Object.entries(texts));
const TEXTS = new Set(["title", "description", "summary", "name"]);
/** Answers and requests as the server sends and takes them: their Chinese is data. */
const DATA = new Set(["example", "examples"]);

/** A copy of the document in English, paragraph by paragraph; texts without a translation stay as they are. */
export function inEnglish<Value>(value: Value): Value {
  return translated(value, "") as Value;
}

function translated(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((each) => translated(each, ""));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        DATA.has(name) ? inner : translated(inner, name),
      ]),
    );
  }
  return typeof value === "string" && TEXTS.has(key) ? inParagraphs(value) : value;
}

const inParagraphs = (text: string) =>
  paragraphsOf(text)
    .map((paragraph) => english.get(paragraph) ?? paragraph)
    .join("\n\n");

export const paragraphsOf = (text: string) => text.split("\n\n");
