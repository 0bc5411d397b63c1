// Pure rules of the pagination control (specification §2, §5, §9).

/** `N条/页` */
export function pageSizeLabel(pageSize: number): string {
  return `${pageSize}条/页`;
}

/** Previous is disabled on page 1 or lower. */
export function hasPrevious(page: number): boolean {
  return page > 1;
}

/** What remains of the go-to-page input as it is typed. */
export function stripNonDigits(text: string): string {
  return text.replace(/[^0-9]/g, "");
}

/** The page that a typed number means; null when it means none. */
export function pageFromInput(text: string): number | null {
  const page = Number(stripNonDigits(text));
  return page >= 1 && page <= 1_000_000 ? page : null;
}

/** At least 1, also when there is nothing. */
export function lastPage(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/** `共 86 条`; a count that stopped early says so. */
export function totalText(total: number, isTotalCapped = false): string {
  return `共 ${total}${isTotalCapped ? "+" : ""} 条`;
}
