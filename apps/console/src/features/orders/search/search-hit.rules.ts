// Pages among the hits of the search box, found by title.

export interface PageHit {
  title: string;
  path: string;
  /** Title of the menu group. */
  group?: string;
}

const MOST = 6;

/** Pages whose title, or group and title, contain the text; titles that begin with it first. */
export function pagesFor(text: string, pages: readonly PageHit[]): PageHit[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const titleOf = ({ group = "", title }: PageHit) => `${group}${title}`.toLowerCase();
  const rank = ({ title }: PageHit) => (title.toLowerCase().startsWith(wanted) ? 0 : 1);
  return pages
    .filter((page) => titleOf(page).includes(wanted))
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MOST);
}
