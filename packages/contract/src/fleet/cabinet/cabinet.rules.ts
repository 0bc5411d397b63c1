// Pure rules of a cabinet: lifecycle, connectivity, contradicting settings.

export const LIFECYCLES = ["INACTIVE", "ACTIVE", "PAUSED", "RETIRED"] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** `CONNECTING`: heard, or online a moment ago, but without a session, so nothing can be opened. */
export const CONNECTIVITIES = ["ONLINE", "CONNECTING", "OFFLINE", "NEVER"] as const;
export type Connectivity = (typeof CONNECTIVITIES)[number];

export const lifecycleText: Record<Lifecycle, string> = {
  INACTIVE: "未启用",
  ACTIVE: "运营中",
  PAUSED: "已暂停",
  RETIRED: "已停用",
};

export const connectivityText: Record<Connectivity, string> = {
  ONLINE: "在线",
  CONNECTING: "连接中",
  OFFLINE: "离线",
  NEVER: "从未连接",
};

/** Contradiction between settings, in Chinese; null when there is none. */
export function configProblem(config: {
  lightOnAt?: string;
  lightOffAt?: string;
  temperatureFromAt?: string;
  temperatureToAt?: string;
  temperatureTargetC?: number;
  temperatureHighC?: number;
  temperatureLowC?: number;
}): string | null {
  const { temperatureTargetC: target, temperatureHighC: high, temperatureLowC: low } = config;
  const isHalf = (one: unknown, other: unknown) => (one === undefined) !== (other === undefined);
  if (isHalf(config.lightOnAt, config.lightOffAt)) return "开灯时间与关灯时间须同时填写或同时留空";
  if (isHalf(config.temperatureFromAt, config.temperatureToAt)) {
    return "控温开始时间与结束时间须同时填写或同时留空";
  }
  if (config.temperatureFromAt !== undefined && target === undefined) {
    return "填写了控温时段，请同时填写控温目标";
  }
  if (low !== undefined && high !== undefined && low >= high) return "低温报警须低于高温报警";
  if (target !== undefined && high !== undefined && target >= high) {
    return "控温目标须低于高温报警";
  }
  if (target !== undefined && low !== undefined && target <= low) return "控温目标须高于低温报警";
  return null;
}

/** Presence (protocol §1): offline 5 s after a will, or after the silence set by the model. */
export const WILL_GRACE_SECONDS = 5;

/** Row text of a cabinet that is part of its store's outage. */
export function storeOutageText({ total, back }: { total: number; back: number }): string {
  const all = `门店断网：同店 ${total} 台设备一起离线`;
  return back === 0 ? all : `${all}，已恢复 ${back} 台`;
}

/** Fields of a cabinet's reports that are set aside when invalid, by the names of the cabinet link. */
const readingText: Record<string, string> = {
  at: "设备时间",
  signalDbm: "信号",
  temperatureC: "温度传感器",
  supplyVolts: "供电电压",
  openDoors: "开门数",
  badFrames: "错误帧数",
  side: "单双面",
  appVersion: "程序版本",
  boardVersion: "驱动板版本",
  capabilities: "能力",
  configVersion: "参数版本",
  playlistVersion: "播放列表版本",
  journal: "指令记录",
  config: "参数",
  playlist: "播放列表",
  cmdId: "指令编号",
  active: "报警状态",
  value: "报警数值",
  job: "升级任务",
  reason: "原因代码",
};

/** Text of a field that was set aside; an inner field (`job.reason`) counts as its object. */
export function invalidReadingText(field: string): string {
  return `${readingText[field.split(".")[0] ?? field] ?? field}读数无效`;
}
