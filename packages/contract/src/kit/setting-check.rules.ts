// How a setting that lets us into somebody else's service stands after it was tried.

/** Whether it works was not asked, is being asked, or what came of it. */
export const SETTING_CHECK_STATES = ["NONE", "PENDING", "OK", "FAILED"] as const;
export type SettingCheckState = (typeof SETTING_CHECK_STATES)[number];
export const settingCheckText: Record<SettingCheckState, string> = {
  NONE: "未验证",
  PENDING: "验证中",
  OK: "验证通过",
  FAILED: "验证未通过",
};
