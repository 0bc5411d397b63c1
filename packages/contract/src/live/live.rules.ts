// Live channel: events say that something changed; the page then repeats its ordinary call.
import type { Access } from "../kit/endpoint.ts";

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

/**
 * Permissions, any of which an account needs to receive a topic: those of the pages it refreshes;
 * null: none needed.
 */
export const topicPermissions: Record<LiveTopic, readonly Access[] | null> = {
  cabinet: [
    "cabinet:read",
    "compartment:read",
    "cabinet-event:read",
    "cabinet-secret:read",
    "store:read",
    "order:read",
    "advert:read",
  ],
  command: [
    "command:read",
    "cabinet:read",
    "compartment:read",
    "order:read",
    "order:open",
    "malfunction:read",
  ],
  rollout: ["rollout:read"],
  order: ["order:read", "business-order:read", "statistics:read", "end-user:read"],
  access: null,
  setting: null,
  notice: null,
  malfunction: ["malfunction:read"],
  announcement: null,
  callback: ["callback:read", "business-order:read", "order:read"],
  sms: ["sms:read", "sms-credit:read", "template:read", "order:read"],
};

export interface LiveEvent {
  topic: LiveTopic;
  /** Cabinet that changed, or whose command or roll-out did; null: not about a single cabinet. */
  cabinetId: number | null;
}

/** Server-sent events; requires the session headers like any call. */
export const LIVE_PATH = "/api/admin/v1/live";
/** In milliseconds: the channel begins with the events of that long before it. */
export const LIVE_MISSED_HEADER = "live-missed-ms";
/** Keep-alive comment: a console is live while the last one is at most 10 s old, so that one may be late or lost. */
export const LIVE_PING_MS = 4_000;
/** Header of the answer: how often this server pings. Absent: every 15 s, as releases before 2026-12 did. */
export const LIVE_PING_HEADER = "live-ping-ms";
