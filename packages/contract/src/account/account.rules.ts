// Pure rules of one's own account: how the console may look.

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const themeText: Record<Theme, string> = {
  system: "跟随系统",
  light: "浅色",
  dark: "深色",
};

/** So many own choices of one account are kept: more lists than a console has. */
export const MOST_PREFERENCES = 200;
