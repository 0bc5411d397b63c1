// Route guard (specification §2): who may open which path, and the redirect otherwise.

export const LOGIN_PATH = "/login";
export const HOME_PATH = "/dashboard";
/** Public paths, reachable without a stored login token. */
const openPaths = new Set([LOGIN_PATH, "/doc/sre", "/doc/sdk"]);

/** `step-due`: signed in, but no page opens before a new password or the second step. */
export type Entry = "signed-out" | "step-due" | "signed-in";

export interface Place {
  path: string;
  /** With its `?`, or empty. */
  search: string;
  /** With its `#`, or empty. */
  hash?: string;
}

/**
 * Path to redirect to, or null to stay. `canonical` is the matched route's path in the spelling of
 * the route table (matching ignores case and a trailing slash); null: not known yet, or no page.
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

/** Collapses repeated slashes: two at the start would name another host. */
export function squeezedPath(path: string): string {
  return path.replace(/\/{2,}/g, "/");
}

/** Redirect for a URL without a page. */
export function unknownTarget({ path, search }: Place): string {
  const squeezed = squeezedPath(path);
  return squeezed === path ? "/" : `${squeezed}${search}`;
}

/** Sign-in path that remembers the visitor's target. */
function loginPath(target: string): string {
  if (target === "/" || target === HOME_PATH) return LOGIN_PATH;
  return `${LOGIN_PATH}?redirect=${encodeURIComponent(target)}`;
}

/** Target that the sign-in page remembers; ignores other sites (no open redirect). */
export function targetOf(search: string): string {
  const target = new URLSearchParams(search).get("redirect") ?? "/";
  const isOurs = /^\/(?![/\\])/.test(target) && !hasControls(target);
  return isOurs && !target.startsWith(LOGIN_PATH) ? target : "/";
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Maps `/redirect/cupboard/index` to `/cupboard/index`; used to refresh a tab. */
export function redirectTarget(path: string): string {
  return `/${path.replace(/^\/redirect\/*/i, "")}`;
}

/** Entry state of a stored session. */
export function entryOf(
  session: { mustChangePassword: boolean; secondStep?: unknown } | null,
): Entry {
  if (!session) return "signed-out";
  return session.mustChangePassword || session.secondStep ? "step-due" : "signed-in";
}
