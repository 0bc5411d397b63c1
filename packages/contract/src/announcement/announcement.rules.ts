// What both sides say of announcements (公告): kinds, audiences, and how one stands by the clock.

export const ANNOUNCEMENT_KINDS = ["NOTICE", "VERSION"] as const;
export type AnnouncementKind = (typeof ANNOUNCEMENT_KINDS)[number];

/** A version notice is the platform's, for operators (userType 1), and opens as a dialog. */
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
/** Draft, published and withdrawn are kept; what the clock makes of a published one is derived. */
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

/** Whom it addresses and what it is stay as they were once somebody may have seen it. */
export function isAddressFixed(phase: AnnouncementPhase): boolean {
  return phase === "LIVE" || phase === "EXPIRED";
}

/** As lists and logs name it. */
export function announcementName(of: {
  kind: AnnouncementKind;
  title: string;
  version: string;
}): string {
  if (of.kind === "NOTICE") return of.title;
  return of.title ? `${of.version} ${of.title}` : of.version;
}

/** How far ahead it may be scheduled. */
export const PUBLISH_AHEAD_MAX_DAYS = 366;
