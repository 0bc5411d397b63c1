// Numbers as people read them.

/**
 * Formats as `12,345` or `1,234.5`, with three decimal places at most. `toLocaleString` would first load the browser's number
 * formats, which takes longer than drawing all figures of a page.
 */
export function groupedText(value: number): string {
  const [whole = "", rest] = String(Math.round(value * 1_000) / 1_000).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}
