// Check states of a setting that holds credentials for an outside service.

/** Not checked, check under way, or its result. */
export const SETTING_CHECK_STATES = ["NONE", "PENDING", "OK", "FAILED"] as const;
export type SettingCheckState = (typeof SETTING_CHECK_STATES)[number];
export const settingCheckText: Record<SettingCheckState, string> = {
  NONE: "未验证",
  PENDING: "验证中",
  OK: "验证通过",
  FAILED: "验证未通过",
};
