// Command stages never claim more than is known.
import {
  COMMAND_STATES,
  type CommandState,
  hasResult,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import { describe, expect, it } from "vitest";
import { stagesOf, stateText, toneOf } from "./command-stages.rules.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 21) + ms).toISOString();
const given = { kind: "OPEN", createdAt: at(0), sentAt: null, ackedAt: null } as const;

describe("command stages", () => {
  it("show what is awaited next", () => {
    const texts = (state: CommandState, sentAt: string | null, ackedAt: string | null) =>
      stagesOf({ ...given, state, sentAt, ackedAt, settledAt: null }).map((stage) => stage.text);
    expect(texts("QUEUED", null, null)).toEqual(["提交指令", "等待下发"]);
    expect(texts("SENT", at(8), null)).toEqual(["提交指令", "已下发到设备", "等待设备执行"]);
    expect(texts("ACKED", at(8), at(120)).at(-1)).toBe("等待门磁确认");
  });

  it("show how long after its creation the command reached each stage", () => {
    const stages = stagesOf({
      ...given,
      state: "CONFIRMED",
      sentAt: at(8),
      ackedAt: at(120),
      settledAt: at(640),
    });
    expect(stages.map((stage) => stage.elapsedMs)).toEqual([0, 8, 120, 640]);
    expect(stages.at(-1)).toMatchObject({ text: "已开门", tone: "good" });
  });

  it("do not show a door as open without an observed opening", () => {
    for (const state of COMMAND_STATES) {
      const stages = stagesOf({ ...given, state, settledAt: hasResult(state) ? at(9) : null });
      const isOpen = stages.some((stage) => stage.text === "已开门");
      expect(isOpen).toBe(state === "CONFIRMED");
      expect(toneOf(state) === "good").toBe(state === "CONFIRMED");
    }
  });

  it("use the wording of a restart for a restart", () => {
    expect(stateText("RESTART", "CONFIRMED")).toBe("已重启");
    expect(stateText("OPEN", "CONFIRMED")).toBe("已开门");
    for (const state of COMMAND_STATES) expect(stateText("RESTART", state)).not.toMatch(/门/);
  });
});
