// Pure rules of a cabinet: is it online, may it be opened.

export const LIFECYCLES = ["INACTIVE", "ACTIVE", "PAUSED", "RETIRED"] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

export const CONNECTIVITIES = ["ONLINE", "OFFLINE", "NEVER"] as const;
export type Connectivity = (typeof CONNECTIVITIES)[number];

export const lifecycleText: Record<Lifecycle, string> = {
  INACTIVE: "未启用",
  ACTIVE: "运营中",
  PAUSED: "已暂停",
  RETIRED: "已停用",
};

export const connectivityText: Record<Connectivity, string> = {
  ONLINE: "在线",
  OFFLINE: "离线",
  NEVER: "从未连接",
};

/** Presence (protocol §1): offline is a will and 5 s, or 90 s of silence. */
export const WILL_GRACE_SECONDS = 5;
export const SILENCE_SECONDS = 90;
