// Pure rules of malfunctions: how their kinds read.

export const malfunctionKindText: Readonly<Record<string, string>> = {
  OFFLINE: "离线",
  OPEN_FAILED: "开门失败",
  DOOR_LEFT_OPEN: "箱门未关",
  OCCUPANCY_ABNORMAL: "异常占用",
  VIBRATION: "震动",
  TAMPER: "防撬",
  POWER_LOW: "电源不足",
  BOARD_FAULT: "驱动板异常",
  TEMPERATURE_HIGH: "高温",
  TEMPERATURE_LOW: "低温",
  NETWORK_POOR: "网络异常",
  OTHER: "其他",
};
