// Duration of each stage of a command, from its timestamps.
import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";

type Stamps = Pick<Command, "kind" | "createdAt" | "sentAt" | "ackedAt" | "settledAt">;

export interface StageTime {
  stage: "QUEUE" | "CABINET" | "DOOR";
  text: string;
  ms: number;
}

/** Completed stages in order; a skipped stage counts towards the next one that ended. */
export function stageTimes({ kind, createdAt, sentAt, ackedAt, settledAt }: Stamps): StageTime[] {
  const confirms = { OPEN: "门磁确认", RESTART: "设备重新上线" }[kind];
  const ends = [
    { stage: "QUEUE", text: "平台下发", at: sentAt },
    { stage: "CABINET", text: "设备执行", at: ackedAt },
    { stage: "DOOR", text: ackedAt ? confirms : "等待结果", at: settledAt },
  ] as const;
  const times: StageTime[] = [];
  let since = Date.parse(createdAt);
  for (const { stage, text, at } of ends) {
    if (at === null) continue;
    times.push({ stage, text, ms: Math.max(0, Date.parse(at) - since) });
    since = Math.max(since, Date.parse(at));
  }
  return times;
}
