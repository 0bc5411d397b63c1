// Limits and timings of the cabinet link, equal on both ends.

/** Protocol version spoken by this package; a peer may be at most one behind. */
export const LINK_VERSION = 1;

/** Largest MQTT payload in bytes, signature included. */
export const MAX_FRAME_BYTES = 8192;

/** Deepest nesting of objects and arrays in a payload. */
export const MAX_JSON_DEPTH = 8;

/** Commands that a cabinet remembers, on disk and in its birth. */
export const JOURNAL_SIZE = 64;

/** Longest lifetime of a nonce from `GET /device/v1/challenge`, in seconds. */
export const CHALLENGE_TTL_SECONDS = 60;

/** Usual and longest lifetime of a command (`exp - iat`), in milliseconds. */
export const COMMAND_TTL_MS = 15_000;
export const MAX_COMMAND_TTL_MS = 60_000;

/** Resends of the same bytes by the server, in milliseconds after the first transmission. */
export const RESEND_AFTER_MS: readonly number[] = [2_000, 4_000];

/** Time after the pulse within which the door sensor must confirm, else NOT_CONFIRMED. */
export const CONFIRM_WITHIN_MS = 3_000;

/** MQTT keepalive. */
export const KEEPALIVE_SECONDS = 60;

/** Reconnect back-off: full jitter between 0 and min(CAP, BASE × 2^attempt). */
export const BACKOFF_BASE_MS = 1_000;
export const BACKOFF_CAP_MS = 120_000;

/**
 * Attempts are reset only after a session of this length; an earlier reset would run into the ban.
 */
export const BACKOFF_RESET_AFTER_MS = 60_000;

/** Rate limit: this many connects within the window ban the cabinet for CONNECT_BAN_MS. */
export const MAX_CONNECTS = 15;
export const CONNECT_WINDOW_MS = 60_000;
export const CONNECT_BAN_MS = 5 * 60_000;

/** A clock older than this is synchronised again by a new birth. */
export const CLOCK_MAX_AGE_MS = 6 * 3_600_000;

/** Least interval between births sent because an answer doubted the clock. */
export const CLOCK_DOUBT_EVERY_MS = 30_000;

/**
 * Age of a gap in report numbers at which the server requests RESYNC, and the least interval of
 * it.
 */
export const RESYNC_AFTER_GAP_MS = 5_000;
export const RESYNC_EVERY_MS = 60_000;

/** Time that a cabinet is heard without a session before the server requests a birth … */
export const BIRTH_REQUEST_AFTER_MS = 3_000;
/** … then the first repeat interval, doubled each time up to the cap. */
export const BIRTH_REQUEST_EVERY_MS = 5_000;
export const BIRTH_REQUEST_CAP_MS = 60_000;

/** True for the versions this package reads: its own and the one before. */
export function isSupportedVersion(v: number): boolean {
  return v === LINK_VERSION || (v === LINK_VERSION - 1 && v >= 1);
}
