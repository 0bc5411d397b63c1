// A search pattern of what somebody typed.

/** For `like` and `ilike`: anywhere within, its own % and _ as they stand. */
export function contains(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, "\\$&")}%`;
}

/** As `contains`, from the beginning. */
export function beginsWith(text: string): string {
  return contains(text).slice(1);
}
