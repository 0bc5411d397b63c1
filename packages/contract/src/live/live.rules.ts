// The push channel: an event says what changed, the page then asks again through its ordinary call.

export const LIVE_TOPICS = [
  "cabinet",
  "command",
  "rollout",
  "order",
  "access",
  "setting",
  "notice",
  "malfunction",
  "announcement",
  "callback",
  "sms",
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

export interface LiveEvent {
  topic: LiveTopic;
  /** The cabinet that changed, or whose command or roll-out did; null: not of one cabinet alone. */
  cabinetId: number | null;
}

/** Server-sent events; the session's headers as with every call. */
export const LIVE_PATH = "/api/admin/v1/live";
/** A comment line keeps proxies from closing a quiet channel. */
export const LIVE_PING_MS = 15_000;
