// Kinds of malfunctions.

export const MALFUNCTION_KINDS = [
  "OFFLINE",
  "OPEN_FAILED",
  "UNCOMMANDED_OPENING",
  "IDENTITY_SHARED",
  "DOOR_LEFT_OPEN",
  "OCCUPANCY_ABNORMAL",
  "VIBRATION",
  "TAMPER",
  "POWER_LOW",
  "BOARD_FAULT",
  "TEMPERATURE_HIGH",
  "TEMPERATURE_LOW",
  "NETWORK_POOR",
  "OTHER",
] as const;
export type MalfunctionKind = (typeof MALFUNCTION_KINDS)[number];

export const malfunctionKindText: Readonly<Record<MalfunctionKind, string>> = {
  OFFLINE: "离线",
  OPEN_FAILED: "开门失败",
  UNCOMMANDED_OPENING: "非指令开门",
  IDENTITY_SHARED: "疑似共用身份",
  DOOR_LEFT_OPEN: "箱门未关",
  OCCUPANCY_ABNORMAL: "疑似有物",
  VIBRATION: "震动",
  TAMPER: "撬动报警",
  POWER_LOW: "电源不足",
  BOARD_FAULT: "驱动板异常",
  TEMPERATURE_HIGH: "高温",
  TEMPERATURE_LOW: "低温",
  NETWORK_POOR: "网络异常",
  OTHER: "其他",
};
