// Pages among the hits of the search box, found by title.

export interface PageHit {
  title: string;
  path: string;
  /** Titles of the menu groups around it, the outermost first. */
  groups: readonly string[];
}

const MOST = 6;

/** Pages whose title begins with the text, then those that contain it, then those whose groups and title contain it. */
export function pagesFor(text: string, pages: readonly PageHit[]): PageHit[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const wholeOf = ({ title, groups }: PageHit) => `${groups.join("")}${title}`.toLowerCase();
  const rankOf = ({ title }: PageHit) => {
    const place = title.toLowerCase().indexOf(wanted);
    return place < 0 ? 2 : Math.min(place, 1);
  };
  return pages
    .filter((page) => wholeOf(page).includes(wanted))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .slice(0, MOST);
}
