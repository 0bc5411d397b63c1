// Rules for ticking a menu entry: which entries above and below it change too.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";

/** Returns why an entry may be neither ticked nor unticked; undefined if it may. */
export type BlockedReason = (entry: MenuEntry) => string | undefined;

export type TickState = "NONE" | "SOME" | "ALL";

export const buttonsOf = (entry: MenuEntry) =>
  entry.children.filter(({ kind }) => kind === "BUTTON");

/** Groups have no state of their own: their tick state derives from their pages. */
export const isGroup = (entry: MenuEntry) => entry.children.some(({ kind }) => kind === "MENU");

/** The entry and all its descendants. */
export function wholeOf(entry: MenuEntry): MenuEntry[] {
  return [entry, ...entry.children.flatMap(wholeOf)];
}

/** Entries that can be ticked individually: pages and buttons. */
export function leavesOf(entries: readonly MenuEntry[]): MenuEntry[] {
  return entries.flatMap(wholeOf).filter((entry) => !isGroup(entry));
}

export function tickStateOf(entries: readonly MenuEntry[], ticked: ReadonlySet<number>): TickState {
  const leaves = leavesOf(entries);
  const count = leaves.filter(({ id }) => ticked.has(id)).length;
  if (count === 0) return "NONE";
  return count === leaves.length ? "ALL" : "SOME";
}

/** Ticks or unticks a page or a button: a button requires its page and is unticked with it. */
function tickOne(ticked: Set<number>, page: MenuEntry, entry: MenuEntry, isOn: boolean): void {
  if (isOn) ticked.add(page.id).add(entry.id);
  else for (const { id } of wholeOf(entry)) ticked.delete(id);
}

/**
 * Returns why this entry cannot change now: its own reason or that of an entry that changes with
 * it.
 */
export function reasonAgainst(
  path: readonly MenuEntry[],
  ticked: ReadonlySet<number>,
  blocked: BlockedReason,
): string | undefined {
  const [entry, page] = [path.at(-1), path.at(-2)];
  if (!entry) return undefined;
  if (isGroup(entry)) {
    return leavesOf([entry])
      .map(blocked)
      .reduce((kept, reason) => kept && reason);
  }
  const own = blocked(entry);
  if (own) return own;
  if (ticked.has(entry.id)) {
    return buttonsOf(entry)
      .filter(({ id }) => ticked.has(id))
      .map(blocked)
      .find((reason) => reason);
  }
  return entry.kind === "BUTTON" && page && !ticked.has(page.id) ? blocked(page) : undefined;
}

/** Ticks after changing the last entry of `path`, or all pages below it if it is a group. */
export function toggle(
  tree: readonly MenuEntry[],
  ticked: ReadonlySet<number>,
  path: readonly MenuEntry[],
  isOn: boolean,
  blocked: BlockedReason,
): Set<number> {
  const next = new Set(ticked);
  const visit = (way: readonly MenuEntry[]) => {
    const entry = way.at(-1) as MenuEntry;
    if (isGroup(entry)) {
      for (const child of entry.children) visitAll([...way, child]);
      return;
    }
    if (reasonAgainst(way, next, blocked)) return;
    const page = entry.kind === "BUTTON" ? (way.at(-2) ?? entry) : entry;
    tickOne(next, page, entry, isOn);
  };
  const visitAll = (way: readonly MenuEntry[]) => {
    const entry = way.at(-1) as MenuEntry;
    // Order matters: buttons are unticked before their page and ticked after it.
    const buttons = isGroup(entry) ? [] : buttonsOf(entry).map((button) => [...way, button]);
    for (const each of isOn ? [way, ...buttons] : [...buttons, way]) visit(each);
  };
  const last = path.at(-1);
  if (last && isGroup(last)) visitAll(path);
  else if (last) visit(path);
  else for (const entry of tree) visitAll([entry]);
  return withGroups(tree, next);
}

/** Adds or removes groups so that a group is ticked exactly when something below it is. */
export function withGroups(tree: readonly MenuEntry[], ticked: ReadonlySet<number>): Set<number> {
  const next = new Set(ticked);
  for (const entry of tree.flatMap(wholeOf).filter(isGroup)) {
    if (tickStateOf([entry], ticked) === "NONE") next.delete(entry.id);
    else next.add(entry.id);
  }
  return next;
}
