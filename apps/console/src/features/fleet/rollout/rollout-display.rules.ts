// Display texts and tones of roll-outs: state, content, progress.
import type { Rollout } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import type { RolloutState, TargetState } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import type { Tone } from "../../../ui/display/tone.rules.ts";

export const rolloutTone: Record<RolloutState, Tone> = {
  SCHEDULED: "waiting",
  RUNNING: "waiting",
  PAUSED: "doubtful",
  STOPPED: "bad",
  FINISHED: "good",
  CANCELLED: "quiet",
};

export const targetTone: Record<TargetState, Tone> = {
  WAITING: "quiet",
  SENT: "waiting",
  ACCEPTED: "waiting",
  DOWNLOADING: "waiting",
  INSTALLING: "waiting",
  SUCCEEDED: "good",
  FAILED: "bad",
  REFUSED: "bad",
  TIMED_OUT: "bad",
  CANCELLED: "quiet",
  REVERTED: "quiet",
};

export const eventText = {
  CREATED: "新建任务",
  STARTED: "开始下发",
  ADVANCED: "进入下一批",
  STOPPED: "自动停止",
  PAUSED: "暂停",
  RESUMED: "继续",
  RETRIED: "重试失败设备",
  CANCELLED: "取消任务",
  FINISHED: "全部完成",
  REVERTED: "回退参数",
} as const;

export interface Parts {
  total: number;
  succeeded: number;
  inFlight: number;
  failed: number;
  waiting: number;
  cancelled: number;
}

/** `成功 18，失败 1，进行中 2，等待 3`, omitting zero counts. */
export function partsText({ succeeded, failed, inFlight, waiting, cancelled }: Parts): string {
  const parts = [
    ["成功", succeeded],
    ["失败", failed],
    ["进行中", inFlight],
    ["等待", waiting],
    ["取消", cancelled],
  ] as const;
  const said = parts.filter(([, count]) => count > 0).map(([word, count]) => `${word} ${count}`);
  return said.join("，") || "没有设备";
}

export function stageText({ state, stage, stageCount }: Rollout): string | null {
  if (state === "FINISHED" || state === "SCHEDULED") return null;
  return `第 ${stage} / ${stageCount} 批`;
}

/** Parses `1,10,100`; null if it is not a list of whole numbers. */
export function percentsOf(text: string): number[] | null {
  const parts = text.split(/[,，、\s]+/).filter((part) => part !== "");
  return parts.length > 0 && parts.every((part) => /^\d{1,3}$/.test(part))
    ? parts.map(Number)
    : null;
}
