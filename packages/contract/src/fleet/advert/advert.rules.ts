// Pure rules of adverts on cabinet screens: texts, sizes, and the phase derived from the schedule.

export const ADVERT_STATES = ["DRAFT", "ON", "OFF"] as const;
export type AdvertState = (typeof ADVERT_STATES)[number];

export const advertStateText: Record<AdvertState, string> = {
  DRAFT: "草稿",
  ON: "已上架",
  OFF: "已下架",
};

export const ADVERT_PHASES = ["UPCOMING", "RUNNING", "ENDED"] as const;
/** Phase of a published advert, derived from its dates. */
export type AdvertPhase = (typeof ADVERT_PHASES)[number];

export const advertPhaseText: Record<AdvertPhase, string> = {
  UPCOMING: "未开始",
  RUNNING: "进行中",
  ENDED: "已结束",
};

export const ADVERT_POSITIONS = ["STANDBY", "HOME", "PICKUP"] as const;
export type AdvertPosition = (typeof ADVERT_POSITIONS)[number];

export const advertPositionText: Record<AdvertPosition, string> = {
  STANDBY: "待机屏",
  HOME: "首页横幅",
  PICKUP: "取件页",
};

/** Pixels on a screen of 1080 × 1920; other sizes are cropped to fill it. */
export const advertPositionSize: Record<AdvertPosition, { width: number; height: number }> = {
  STANDBY: { width: 1080, height: 1920 },
  HOME: { width: 1080, height: 480 },
  PICKUP: { width: 1080, height: 320 },
};

export const TARGET_KINDS = ["ALL", "STORE", "CABINET", "MODEL", "SIDE"] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const targetKindText: Record<TargetKind, string> = {
  ALL: "全部设备",
  STORE: "指定门店",
  CABINET: "指定设备",
  MODEL: "指定型号",
  SIDE: "单面或双面",
};

export const DOWNLOAD_STATES = ["WAITING", "DOWNLOADING", "READY", "FAILED"] as const;
export type DownloadState = (typeof DOWNLOAD_STATES)[number];

export const downloadStateText: Record<DownloadState, string> = {
  WAITING: "等待下载",
  DOWNLOADING: "下载中",
  READY: "已就绪",
  FAILED: "下载失败",
};

const downloadReasonText: Record<string, string> = {
  NETWORK: "网络中断",
  NOT_FOUND: "文件已不存在",
  REFUSED: "设备身份未通过验证",
  BAD_SIZE: "文件大小不符",
  BAD_CHECKSUM: "文件校验不符",
  STORAGE: "设备存储空间不足或写入失败",
};

/** Text of a download reason; unknown words of newer cabinet programs are kept as they are. */
export function downloadReasonOf(reason: string | null): string {
  return reason === null ? "" : (downloadReasonText[reason] ?? reason);
}

/** Most adverts in one cabinet's playlist. */
export const MAX_ADVERTS_PER_CABINET = 20;

interface Schedule {
  /** Days in Shanghai (`2026-11-21`), both included. */
  fromDate: string | null;
  untilDate: string | null;
}

/** Converts `08:00` to minutes since midnight. */
export function minuteOfTime(time: string): number {
  const [hours = "", minutes = ""] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}

/** `08:00–22:00` or `全天`; an end before the start is past midnight. */
export function hoursText(fromTime: string | null, untilTime: string | null): string {
  if (fromTime === null || untilTime === null) return "全天";
  return `${fromTime}–${untilTime > fromTime ? "" : "次日 "}${untilTime}`;
}

/** `2026-11-01 至 2026-11-30`, `长期` */
export function datesText({ fromDate, untilDate }: Schedule): string {
  if (fromDate && untilDate) return `${fromDate} 至 ${untilDate}`;
  if (fromDate) return `${fromDate} 起`;
  return untilDate ? `至 ${untilDate}` : "长期";
}
