// The route guard (specification §2): who may be where, and where everybody else goes.

export const LOGIN_PATH = "/login";
export const HOME_PATH = "/dashboard";
/** Reachable without a stored login token. */
const openPaths = new Set([LOGIN_PATH, "/doc/sre", "/doc/sdk"]);

/** `password-due`: signed in, but nothing is open before the password is changed. */
export type Entry = "signed-out" | "password-due" | "signed-in";

export interface Place {
  path: string;
  /** With its `?`, or empty. */
  search: string;
  /** With its `#`, or empty. */
  hash?: string;
}

/**
 * The address to go to instead, or null to stay. `canonical` is the path of the matched route as the route
 * table writes it (matching ignores case and a slash at the end); null: not known yet, or no page.
 */
export function redirectOf(
  { path, search, hash = "" }: Place,
  entry: Entry,
  canonical: string | null,
): string | null {
  const isOpen = openPaths.has(path.toLowerCase().replace(/\/+$/, ""));
  if (entry !== "signed-in" && !isOpen) return loginPath(`${path}${search}`);
  if (canonical !== null && canonical !== path) return `${canonical}${search}${hash}`;
  return entry === "signed-in" && path === LOGIN_PATH ? targetOf(search) : null;
}

/** A path with single slashes only: two at its start would name another host. */
export function squeezedPath(path: string): string {
  return path.replace(/\/{2,}/g, "/");
}

/** Where an address without a page leads. */
export function unknownTarget({ path, search }: Place): string {
  const squeezed = squeezedPath(path);
  return squeezed === path ? "/" : `${squeezed}${search}`;
}

/** The sign-in page, remembering where the visitor wanted to go. */
function loginPath(target: string): string {
  if (target === "/" || target === HOME_PATH) return LOGIN_PATH;
  return `${LOGIN_PATH}?redirect=${encodeURIComponent(target)}`;
}

/** The remembered target of a sign-in page; only pages of this console count. */
export function targetOf(search: string): string {
  const target = new URLSearchParams(search).get("redirect") ?? "/";
  const isOurs = /^\/(?![/\\])/.test(target) && !hasControls(target);
  return isOurs && !target.startsWith(LOGIN_PATH) ? target : "/";
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** `/redirect/cupboard/index` → `/cupboard/index`: how a tab is refreshed. */
export function redirectTarget(path: string): string {
  return `/${path.replace(/^\/redirect\/*/i, "")}`;
}

/** What a stored session opens. */
export function entryOf(session: { mustChangePassword: boolean } | null): Entry {
  if (!session) return "signed-out";
  return session.mustChangePassword ? "password-due" : "signed-in";
}
