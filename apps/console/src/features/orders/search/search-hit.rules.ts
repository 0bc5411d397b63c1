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

/** Verbs that may stand before or behind what is looked for, and the actions that they name. */
const VERBS = {
  开门: "open",
  暂停: "pause",
  恢复: "resume",
  重启: "restart",
  同步: "sync",
  停用: "retire",
  编辑: "edit",
} as const;

export type ActionKey = (typeof VERBS)[keyof typeof VERBS];

const VERB = Object.keys(VERBS).join("|");
const VERB_FIRST = new RegExp(`^(${VERB})(?!(?:运营|设备|配置)$)(?:运营|设备|配置)?\\s*(.+)$`, "u");
const VERB_LAST = new RegExp(`^(.+?)\\s+(${VERB})(?:运营|设备|配置)?$`, "u");

/** `暂停 4 号柜`: what to do, and what to look for; without a verb, all of the text is looked for. */
export function actionIn(text: string): { action: ActionKey | null; wanted: string } {
  const written = text.trim();
  const first = VERB_FIRST.exec(written);
  const last = first ? null : VERB_LAST.exec(written);
  const verb = (first?.[1] ?? last?.[2]) as keyof typeof VERBS | undefined;
  return { action: verb ? VERBS[verb] : null, wanted: first?.[2] ?? last?.[1] ?? text };
}
