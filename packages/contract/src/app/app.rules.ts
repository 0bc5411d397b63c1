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

/** A top-up by an amount of one's own. */
export const TOP_UP_LEAST_FEN = 100;
export const TOP_UP_MOST_FEN = 200_000;
