// Validates targets of menu entries: a page of the route table, a button on one, or an external
// address.
import { isExternalLink } from "../../kit/external-link.rules.ts";
import type { RouteEntry } from "./route-entry.rules.ts";
import { routeTable } from "./routes.rules.ts";

/** Longest path or address of a menu entry. */
export const MAX_URI_LENGTH = 512;
/**
 * A path, a button on it, an absolute http(s) address, a mail address or a telephone number; no other scheme, no quotes,
 * blanks or brackets.
 */
export const MENU_URI_PATTERN =
  "^(?:/[/\\w:-]*|[mM][aA][iI][lL][tT][oO]:[^\\s\"'<>\\\\]+@[^\\s\"'<>\\\\]+|[tT][eE][lL]:\\+?[\\d-]{3,31}|[hH][tT][tT][pP][sS]?://[^\\s/?#@:\"'<>\\\\]+(?::\\d{1,5})?(?:[/?#][^\\s\"'<>\\\\]*)?)$";
/** Name of a console icon, a path on this server, or a data URL of an image. */
export const MENU_ICON_PATTERN =
  "^(?:[\\w-]*|/[\\w.-][\\w./-]*|data:image/[\\w+.-]+[;,][^\\s\"'<>\\\\]+)$";

export interface MenuTarget {
  kind: "MENU" | "BUTTON";
  uri: string;
}

function visible(entries: readonly RouteEntry[]): RouteEntry[] {
  return entries
    .filter((entry) => !entry.hidden)
    .flatMap((entry) => [entry, ...visible(entry.children ?? [])]);
}

const menuPaths: ReadonlySet<string> = new Set(visible(routeTable).map(({ path }) => path));
const groupPaths: ReadonlySet<string> = new Set(
  visible(routeTable).flatMap(({ path, children }) => (children ? [path] : [])),
);

export function isExternalTarget({ kind, uri }: MenuTarget): boolean {
  return kind === "MENU" && isExternalLink(uri);
}

/**
 * True if the console can draw or grant the entry: an external link, a page or group, or a button.
 */
export function hasMenuTarget(target: MenuTarget): boolean {
  if (isExternalTarget(target)) return true;
  const [path = "", button] = target.uri.split(":");
  return menuPaths.has(path) && (target.kind === "BUTTON") === Boolean(button);
}

/** External links are allowed at the top of the menu and in its groups. */
export function canHoldLink(parentUri: string | null): boolean {
  return parentUri === null || groupPaths.has(parentUri);
}
