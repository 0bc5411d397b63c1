// Pure rules of the app: lifetimes of codes and sessions, rate limits, top-up amounts.

/** Header with the app's session token; the console's is `auth-token`. */
export const APP_TOKEN_HEADER = "app-token";

export const SIGN_IN_CODE_MINUTES = 5;
/** Failed attempts after which a sign-in code is void. */
export const SIGN_IN_CODE_FAILURES = 5;
/** Absolute lifetime of an app session; it also ends after a week without a call. */
export const APP_SESSION_SECONDS = 30 * 86_400;

/** Why a cabinet takes no deposits now, as its people may know it. */
export const APP_CABINET_REFUSALS = ["SUSPENDED", "OFFLINE", "FULL"] as const;
export type AppCabinetRefusal = (typeof APP_CABINET_REFUSALS)[number];

export interface RateLimit {
  /** Requests allowed within `seconds`. */
  max: number;
  seconds: number;
}

/** Rate limit: each message costs the tenant money and bothers its reader. */
export const CODES_PER_PHONE: readonly RateLimit[] = [
  { max: 1, seconds: 60 },
  { max: 5, seconds: 3600 },
  { max: 10, seconds: 86_400 },
];
export const CODES_PER_ADDRESS: readonly RateLimit[] = [{ max: 60, seconds: 3600 }];

/** Each sign-in calls WeChat, which has a quota per tenant; many people may share one address. */
export const MINI_PROGRAM_SIGN_INS_PER_ADDRESS: readonly RateLimit[] = [
  { max: 60, seconds: 60 },
  { max: 600, seconds: 3600 },
];

/** Wrong pickup codes per address and cabinet before it must wait; allows for typos. */
export const WRONG_CODES_PER_ADDRESS = 5;
/**
 * Wrong pickup codes at one cabinet with the same end of a phone, over all networks. From the first number on a try needs a
 * captcha, from the second the whole phone. Who reads the end of the phone on a label has 10⁻⁶ a try: the tries of two
 * windows, with the five that each of up to four pickups in the meantime takes off, stay at 10⁻⁴ a parcel.
 */
export const WRONG_CODES_OF_TAIL = { free: 20, withTail: 40, days: 30, forgivenByPickup: 5 };

/** Sentence for a person who may only take goods out; `until` is in words, null without an end. */
export function closedText(closed: "LOCKED" | "TENANT", until: string | null): string {
  const only = "只能取出柜内的物品、付清费用";
  if (closed === "TENANT") return `本运营商已暂停服务，${only}，请联系客服`;
  return until === null
    ? `您的账号已被锁定，${only}，请联系客服`
    : `您的账号已被锁定至 ${until}，期间${only}，请联系客服`;
}

/**
 * Top-up that covers a debt: rounded up to whole yuan, since prices keep growing; 0: nothing is
 * owed.
 */
export function topUpForDebtFen(shortFen: number): number {
  return shortFen <= 0 ? 0 : Math.max(TOP_UP_LEAST_FEN, Math.ceil(shortFen / 100) * 100);
}

/** Limits of a top-up with a freely chosen amount, in fen. */
export const TOP_UP_LEAST_FEN = 100;
export const TOP_UP_MOST_FEN = 200_000;
