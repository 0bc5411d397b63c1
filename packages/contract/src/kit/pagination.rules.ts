// Pure rules of the pagination control (specification §2, §5, §9).
import { cleanCode } from "./text.rules.ts";

/** `N条/页` */
export function pageSizeLabel(pageSize: number): string {
  return `${pageSize}条/页`;
}

/** Previous is disabled on page 1 or lower. */
export function hasPrevious(page: number): boolean {
  return page > 1;
}

/** Keeps only the digits of the go-to-page input while it is typed. */
export function stripNonDigits(text: string): string {
  return cleanCode(text).replace(/[^0-9]/g, "");
}

/** Page number of the typed text; null when it is not a page from 1 up. */
export function pageFromInput(text: string): number | null {
  const page = Number(stripNonDigits(text));
  return page >= 1 && page <= 1_000_000 ? page : null;
}

/** Number of the last page; 1 for an empty list. */
export function lastPage(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/** `共 86 条`; a capped total gets a `+`. */
export function totalText(total: number, isTotalCapped = false): string {
  return `共 ${total}${isTotalCapped ? "+" : ""} 条`;
}
