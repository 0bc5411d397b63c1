// Names of people, accounts, roles, stores, cabinets …: one spelling, nothing invisible, so that no name looks like another.

import { unicodeForm } from "./text.rules.ts";

/** Controls, marks of direction, half characters, fillers that are drawn as nothing or as a blank. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Choose between two drawings of an emoji; nothing depends on them. */
const VARIATION = /[\ufe0e\ufe0f]/g;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** One spelling (NFC), without blanks at the ends; each blank within is one space. */
export function normalizeName(text: string): string {
  return unicodeForm(text, "NFC")
    .replace(VARIATION, "")
    .trim()
    .replace(/\p{Zs}+/gu, " ");
}

export interface NameLimits {
  minLength?: number;
  maxLength?: number;
}

/** The rest of a sentence that begins with the field; null if the name is accepted. An optional name may be empty. */
export function nameProblem(
  text: string,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: NameLimits,
): string | null {
  const name = normalizeName(text);
  if (name === "" && minLength === 0) return null;
  if (INVISIBLE.test(name)) return "含有看不见的字符，请删去后重试";
  if (!VISIBLE.test(name)) return "不能为空";
  const length = [...name].length;
  if (length < minLength) return `至少 ${minLength} 个字`;
  return length > maxLength ? `最多 ${maxLength} 个字` : null;
}

/** Equal for names that people take for the same one: width, case and blanks do not count. */
export function nameKey(name: string): string {
  return normalizeName(name).normalize("NFKC").toLowerCase().replace(/\s/g, "");
}
