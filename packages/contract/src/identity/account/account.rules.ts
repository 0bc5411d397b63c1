// Pure rules of the own account: themes and the limit of preferences.

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const themeText: Record<Theme, string> = {
  system: "跟随系统",
  light: "浅色",
  dark: "深色",
};

/** Most preferences of one account: more than the console has lists. */
export const MOST_PREFERENCES = 200;

/** Preferences that are on or off: tab bar, compact tables, the checklist of 首页 put away. */
export const SWITCHES = ["tagView", "isCompact", "isSetupHidden"] as const;
export type SwitchName = (typeof SWITCHES)[number];
