// Pure rules of cabinet secrets: states, overlap of a rotation, networks.

/** State of one secret. */
export const SECRET_STATES = ["ACTIVE", "ENDING", "EXPIRED", "REVOKED"] as const;
export type SecretState = (typeof SECRET_STATES)[number];

/** State of a cabinet's secrets taken together. */
export const KEY_STATES = ["ACTIVE", "OVERLAP", "ENDING", "NONE"] as const;
export type KeyState = (typeof KEY_STATES)[number];

export const keyStateText: Record<KeyState, string> = {
  ACTIVE: "使用中",
  OVERLAP: "轮换中",
  ENDING: "即将失效",
  NONE: "无密钥",
};

/** Limits of protocol §4. */
export const MAX_ACTIVE_SECRETS = 2;
export const OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 7 * 24;

export const MAX_NETWORKS = 20;

/**
 * `10.1.2.0/24`, `2001:db8::/32`, or one address; the database refuses bits set beyond the prefix.
 */
export const NETWORK_PATTERN =
  "^((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}(/(3[0-2]|[12]?\\d))?" +
  "|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*(/(12[0-8]|1[01]\\d|\\d?\\d))?)$";
