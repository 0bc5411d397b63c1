// Version prompt and version notice as pure rules (specification §4, §9).
import type { VersionNotice } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";

export const VERSION_CHECK_INTERVAL_MS = 8_000;
const VERSION_COOLDOWN_MS = 3 * 60_000;

/** Builds `{origin}/version.json?t={timestamp}`, which bypasses caches. */
export function versionUrl(origin: string, now: number): string {
  return `${origin}/version.json?t=${now}`;
}

/** A new version prompts, unless 稍后 was chosen less than three minutes ago. */
export function isPromptDue(facts: {
  running: string;
  fetched: string;
  /** Time when 稍后 was chosen, by the local clock; null: never. */
  postponedAt: number | null;
  now: number;
}): boolean {
  if (facts.running === facts.fetched) return false;
  return facts.postponedAt === null || facts.now - facts.postponedAt >= VERSION_COOLDOWN_MS;
}

/** Last seen notice, as stored in the user state. */
export interface SeenNotice {
  version: string;
  versionUpdateTime: string;
}

/** New if the version or the update time differs from the last seen notice. */
export function isNoticeNew(notice: VersionNotice, seen: SeenNotice): boolean {
  return notice.version !== seen.version || notice.updateTime !== seen.versionUpdateTime;
}
