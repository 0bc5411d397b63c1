// Stages of a command for display: what happened and when, what is awaited, what failed.

import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import {
  type CommandKind,
  type CommandState,
  commandActText,
  commandStateText,
  hasResult,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import { doorSideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Tone } from "../../ui/display/tone.rules.ts";

const restartText: Record<CommandState, string> = {
  ...commandStateText,
  ACKED: "已执行，等待设备重新上线",
  CONFIRMED: "已重启",
  NOT_CONFIRMED: "已执行，设备未重新上线",
  EXPIRED: "已过期，未重启",
};

/** Text of a state for this kind of command; never claims more than is known. */
export function stateText(kind: CommandKind, state: CommandState): string {
  return { RESTART: restartText, OPEN: commandStateText }[kind][state];
}

export function toneOf(state: CommandState): Tone {
  if (state === "CONFIRMED") return "good";
  if (!hasResult(state)) return "waiting";
  return state === "UNKNOWN" || state === "NOT_CONFIRMED" ? "doubtful" : "bad";
}

/** Formats the title as `远程开门 12 号（正面）`. */
export function commandTitle({ act, no, side }: Pick<Command, "act" | "no" | "side">): string {
  if (no === null) return commandActText[act];
  return `${commandActText[act]} ${no} 号${side ? `（${doorSideText[side]}）` : ""}`;
}

/** Milliseconds since the command was created; null for a stage that it has not reached. */
export function elapsedMs(command: Pick<Command, "createdAt">, at: string | null): number | null {
  return at === null ? null : Math.max(0, Date.parse(at) - Date.parse(command.createdAt));
}

export interface Stage {
  text: string;
  at: string | null;
  /** Since the command was created. */
  elapsedMs: number | null;
  tone: Tone;
}

type Staged = Pick<Command, "kind" | "state" | "createdAt" | "sentAt" | "ackedAt" | "settledAt">;

/** Stages reached so far in order, then the awaited stage or the final result. */
export function stagesOf(command: Staged): Stage[] {
  const stage = (text: string, at: string | null, tone: Tone): Stage => ({
    text,
    at,
    elapsedMs: elapsedMs(command, at),
    tone,
  });
  const stages = [stage("提交指令", command.createdAt, "good")];
  if (command.sentAt) stages.push(stage("已下发到设备", command.sentAt, "good"));
  if (command.ackedAt) {
    const done = { OPEN: "设备已执行（已下发开锁信号）", RESTART: "设备已执行" }[command.kind];
    stages.push(stage(done, command.ackedAt, "good"));
  }
  if (hasResult(command.state)) {
    const text = stateText(command.kind, command.state);
    stages.push(stage(text, command.settledAt, toneOf(command.state)));
    return stages;
  }
  const awaited = command.ackedAt
    ? stateText(command.kind, "ACKED").replace(/^已执行，/, "")
    : command.sentAt
      ? "等待设备执行"
      : "等待下发";
  stages.push(stage(awaited, null, "waiting"));
  return stages;
}
