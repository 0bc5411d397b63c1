// Comparing requested settings with reported values.
import { describe, expect, it } from "vitest";
import { configLines, configName, configSync } from "./config-sync.rules.ts";

const settings = {
  desiredConfig: { volume: 34, lightOnAt: "18:30", lightOffAt: "06:30" },
  desiredConfigVersion: 3,
  reportedConfig: { volume: 34, lightOnAt: "18:30", lightOffAt: "06:30", disco: true },
  reportedConfigVersion: 3,
};

describe("config sync", () => {
  it("same version: SAME only if every requested value is reported", () => {
    expect(configSync(settings)).toEqual({ state: "SAME", differing: [], unreported: [] });
  });

  it("same version: names the settings with another value", () => {
    const reportedConfig = { ...settings.reportedConfig, volume: 99 };
    expect(configSync({ ...settings, reportedConfig })).toEqual({
      state: "DIFFERS",
      differing: ["音量"],
      unreported: [],
    });
  });

  it("same version: names the settings that the cabinet does not report", () => {
    expect(configSync({ ...settings, reportedConfig: { volume: 34 } })).toEqual({
      state: "UNREPORTED",
      differing: [],
      unreported: ["开灯时间", "关灯时间"],
    });
    expect(configSync({ ...settings, reportedConfig: { volume: 99 } })).toMatchObject({
      state: "DIFFERS",
      differing: ["音量"],
      unreported: ["开灯时间", "关灯时间"],
    });
  });

  it("another version: PENDING, whatever the values are", () => {
    for (const reportedConfigVersion of [2, null]) {
      expect(configSync({ ...settings, reportedConfigVersion }).state).toBe("PENDING");
    }
  });

  it("no requested values: SAME without a report of values", () => {
    const none = { ...settings, desiredConfig: {}, reportedConfig: null };
    expect(configSync(none).state).toBe("SAME");
  });

  it("lines: one per name, then one per other reported setting", () => {
    const lines = configLines(["volume", "lightOnAt", "lightOffAt", "heartbeatSeconds"], {
      desiredConfig: { volume: 60, lightOnAt: "18:30", lightOffAt: "06:30" },
      reportedConfig: { volume: 45, lightOnAt: "18:30", disco: true },
    });
    expect(lines.map(({ name, state }) => [name, state])).toEqual([
      ["volume", "DIFFERS"],
      ["lightOnAt", "SAME"],
      ["lightOffAt", "UNREPORTED"],
      ["heartbeatSeconds", "NONE"],
      ["disco", "NONE"],
    ]);
  });

  it("name: the title without its unit, or the name itself", () => {
    expect(["heartbeatSeconds", "disco", "toString"].map(configName)).toEqual([
      "心跳间隔",
      "disco",
      "toString",
    ]);
  });
});
