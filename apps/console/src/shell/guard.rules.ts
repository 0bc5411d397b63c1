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
}

/** Where to go instead, or null to stay. `isKnown` says whether the route table has a path. */
export function redirectOf(
  { path, search }: Place,
  entry: Entry,
  isKnown: (path: string) => boolean,
): string | null {
  if (entry !== "signed-in") {
    return openPaths.has(path) ? null : loginPath(`${path}${search}`);
  }
  if (path === LOGIN_PATH) return targetOf(search);
  if (path === "/") return HOME_PATH;
  return isKnown(path) ? null : "/";
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
  return `/${path.replace(/^\/redirect\/*/, "")}`;
}

/** What a stored session opens. */
export function entryOf(session: { mustChangePassword: boolean } | null): Entry {
  if (!session) return "signed-out";
  return session.mustChangePassword ? "password-due" : "signed-in";
}
