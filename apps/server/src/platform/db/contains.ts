// LIKE patterns from user input.

/** Pattern for `like` and `ilike` that matches anywhere; escapes `%` and `_` in the text. */
export function contains(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, "\\$&")}%`;
}

/** Like `contains`, but matches a prefix only. */
export function beginsWith(text: string): string {
  return contains(text).slice(1);
}
