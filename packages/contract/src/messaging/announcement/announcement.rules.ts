// Rules of announcements (公告) shared by server and console: kinds, audiences, phase by the clock.

export const ANNOUNCEMENT_KINDS = ["NOTICE", "VERSION"] as const;
export type AnnouncementKind = (typeof ANNOUNCEMENT_KINDS)[number];

/** Version notices come from the platform, address operators (userType 1) and open as a dialog. */
export const announcementKindText: Record<AnnouncementKind, string> = {
  NOTICE: "公告",
  VERSION: "版本通知",
};

export const ANNOUNCEMENT_AUDIENCES = ["OPERATOR", "END_USER"] as const;
export type AnnouncementAudience = (typeof ANNOUNCEMENT_AUDIENCES)[number];

export const announcementAudienceText: Record<AnnouncementAudience, string> = {
  OPERATOR: "后台账号",
  END_USER: "小程序用户",
};

export const ANNOUNCEMENT_PHASES = ["DRAFT", "SCHEDULED", "LIVE", "EXPIRED", "WITHDRAWN"] as const;
/**
 * DRAFT, published and withdrawn are stored; the phase of a published one is derived from the
 * clock.
 */
export type AnnouncementPhase = (typeof ANNOUNCEMENT_PHASES)[number];

export const announcementPhaseText: Record<AnnouncementPhase, string> = {
  DRAFT: "草稿",
  SCHEDULED: "定时发布",
  LIVE: "已发布",
  EXPIRED: "已到期",
  WITHDRAWN: "已撤回",
};

export type AnnouncementStep = "publish" | "withdraw" | "delete";

const allowed: Record<AnnouncementStep, readonly AnnouncementPhase[]> = {
  publish: ["DRAFT", "SCHEDULED", "WITHDRAWN"],
  withdraw: ["SCHEDULED", "LIVE", "EXPIRED"],
  delete: ["DRAFT", "WITHDRAWN"],
};

export function mayStep(phase: AnnouncementPhase, step: AnnouncementStep): boolean {
  return allowed[step].includes(phase);
}

/** Audience and kind are fixed once somebody may have seen the announcement. */
export function isAddressFixed(phase: AnnouncementPhase): boolean {
  return phase === "LIVE" || phase === "EXPIRED";
}

/** Name of an announcement in lists and logs. */
export function announcementName(of: {
  kind: AnnouncementKind;
  title: string;
  version: string;
}): string {
  if (of.kind === "NOTICE") return of.title;
  return of.title ? `${of.version} ${of.title}` : of.version;
}

/** Longest time ahead that publishing can be scheduled, in days. */
export const PUBLISH_AHEAD_MAX_DAYS = 366;
