// States of a partner's application.

export const OPEN_APP_STATES = ["ENABLED", "DISABLED"] as const;
export type OpenAppState = (typeof OPEN_APP_STATES)[number];
export const openAppStateText: Record<OpenAppState, string> = {
  ENABLED: "已启用",
  DISABLED: "已停用",
};
