// Pages among the hits of the search box, found by title.

export interface PageHit {
  title: string;
  path: string;
  /** Titles of the menu groups around it, the outermost first. */
  groups: readonly string[];
}

const MOST = 6;

/** Pages whose title, or a group with the title, contains the text; by title before by group, beginnings first. */
export function pagesFor(text: string, pages: readonly PageHit[]): PageHit[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const rankOf = ({ title, groups }: PageHit) => {
    const place = title.toLowerCase().indexOf(wanted);
    if (place >= 0) return place === 0 ? 0 : 1;
    return `${groups.join("")}${title}`.toLowerCase().includes(wanted) ? 2 : null;
  };
  return pages
    .flatMap((page) => {
      const rank = rankOf(page);
      return rank === null ? [] : [{ page, rank }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MOST)
    .map(({ page }) => page);
}
