// Pure rules of a cabinet model: capabilities, heartbeat and offline threshold.

/** Capability words in a cabinet's birth (protocol §1). */
export const CAPABILITIES = [
  "OPEN",
  "REBOOT",
  "RESYNC",
  "CONFIG",
  "ITEM_SENSOR",
  "FIRMWARE",
  "ADVERT",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

export const capabilityText: Record<Capability, { name: string; meaning: string }> = {
  OPEN: { name: "远程开门", meaning: "可由后台打开任一格口" },
  REBOOT: { name: "远程重启", meaning: "可由后台重启柜机程序" },
  RESYNC: { name: "状态重报", meaning: "漏报后可要求整柜重新上报" },
  CONFIG: { name: "参数下发", meaning: "音量、灯光、心跳等参数可远程设置" },
  ITEM_SENSOR: { name: "物品检测", meaning: "格口内有传感器，能分辨有物与无物" },
  FIRMWARE: { name: "程序升级", meaning: "可远程升级柜机程序" },
  ADVERT: { name: "广告播放", meaning: "带屏幕，可播放图片与视频广告" },
};

/** Limits in seconds; a heartbeat beyond 60 s would outlast the MQTT keepalive. */
export const HEARTBEAT_SECONDS = { min: 10, max: 60, usual: 30 } as const;
export const OFFLINE_SECONDS = { min: 30, max: 1_800, usual: 90 } as const;

/** Problem of the two values, in Chinese, or null: one lost heartbeat must not raise an alarm. */
export function thresholdProblem(heartbeatSeconds: number, offlineSeconds: number): string | null {
  if (offlineSeconds >= 2 * heartbeatSeconds) return null;
  return `离线阈值至少为心跳间隔的 2 倍（${2 * heartbeatSeconds} 秒），否则丢一次心跳就会误报离线`;
}
