// Pure rules of the app of riders and recipients: how long codes and sessions live, how often one may ask.

/** The header that carries the app's session, as `auth-token` carries the console's. */
export const APP_TOKEN_HEADER = "app-token";

export const SIGN_IN_CODE_MINUTES = 5;
/** Wrong codes before the right one is void. */
export const SIGN_IN_CODE_FAILURES = 5;
/** A session ends this long after it began, and after a week without a call. */
export const APP_SESSION_SECONDS = 30 * 86_400;

export interface AskLimit {
  /** Asks within `seconds` that are granted. */
  max: number;
  seconds: number;
}

/** Each message costs the tenant money and its reader patience. */
export const CODES_PER_PHONE: readonly AskLimit[] = [
  { max: 1, seconds: 60 },
  { max: 5, seconds: 3600 },
  { max: 10, seconds: 86_400 },
];
export const CODES_PER_ADDRESS: readonly AskLimit[] = [{ max: 60, seconds: 3600 }];
/** What a tenant can lose to somebody with many addresses and many phones. */
export const CODES_PER_TENANT: readonly AskLimit[] = [{ max: 2000, seconds: 3600 }];

/** Each asks WeChat, which grants a tenant only so many; many people may share one address. */
export const MINI_PROGRAM_SIGN_INS_PER_ADDRESS: readonly AskLimit[] = [
  { max: 60, seconds: 60 },
  { max: 600, seconds: 3600 },
];

/** What one is to an order. */
export const APP_ROLES = ["RIDER", "RECIPIENT"] as const;
export type AppRole = (typeof APP_ROLES)[number];

/** Wrong pickup codes of one address at one cabinet before it must wait; people mistype. */
export const WRONG_CODES_PER_ADDRESS = 5;
/** Of all addresses at one cabinet: whoever has many may not try on. */
export const WRONG_CODES_PER_CABINET = 30;

/** What a person reads who may only take out what lies there; `until` is in words, null without an end. */
export function closedText(closed: "LOCKED" | "TENANT", until: string | null): string {
  const only = "只能取出柜内的物品、付清费用";
  if (closed === "TENANT") return `本运营商已暂停服务，${only}，请联系客服`;
  return until === null
    ? `您的账号已被锁定，${only}，请联系客服`
    : `您的账号已被锁定至 ${until}，期间${only}，请联系客服`;
}

/** What one may put in at once to pay what is short: whole yuan, as prices go on growing. 0: nothing is. */
export function topUpForDebtFen(shortFen: number): number {
  return shortFen <= 0 ? 0 : Math.max(TOP_UP_LEAST_FEN, Math.ceil(shortFen / 100) * 100);
}

/** A top-up by an amount of one's own. */
export const TOP_UP_LEAST_FEN = 100;
export const TOP_UP_MOST_FEN = 200_000;
