// Kinds of notifications in the console's notification centre (消息中心).

/** 待处理: states of the tenant, listed until they are over. 通知: news for the account, listed while unread and for some days. */
export const NOTIFICATION_GROUPS = ["OPEN", "NEWS"] as const;
export type NotificationGroup = (typeof NOTIFICATION_GROUPS)[number];
export const notificationGroupText: Readonly<Record<NotificationGroup, string>> = {
  OPEN: "待处理",
  NEWS: "通知",
};

/** Most severe first. */
export const NOTIFICATION_SEVERITIES = ["SEVERE", "WARNING", "INFO"] as const;

export const NOTIFICATION_KINDS = [
  "MALFUNCTION",
  "MORE_MALFUNCTIONS",
  "WEBHOOK",
  "CERTIFICATE",
  "SMS",
  "SMS_CHANNEL",
  "SERVICE_EXPIRING",
  "SERVICE_EXPIRED",
  "SERVICE_STOPPED",
  "TENANT_EXPIRING",
  "TENANT_EXPIRED",
  "OWN_TERM",
  "REVIEW",
  "REVIEW_RESULT",
  "FACTOR",
  "ANNOUNCEMENT",
  "SIGN_IN",
  "TEST",
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];
