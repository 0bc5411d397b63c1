// Short texts of the cabinet list.
import { describe, expect, it } from "vitest";
import {
  configStep,
  configText,
  countsText,
  invalidReadingTexts,
  signalBars,
} from "./cabinet-display.rules.ts";

describe("cabinet list: short texts", () => {
  it("signal: more bars for a better value", () => {
    expect([-120, -100, -90, -80, -60].map(signalBars)).toEqual([0, 1, 2, 3, 4]);
  });

  const settings = (reportedConfigVersion: number | null, volume?: number) => ({
    desiredConfig: { volume: 34 },
    desiredConfigVersion: 3,
    reportedConfig: { lightOnAt: "18:30", ...(volume !== undefined && { volume }) },
    reportedConfigVersion,
  });

  it("config: 一致 only if the reported values equal the desired ones", () => {
    expect(configText(settings(3, 34))).toBe("一致 v3");
    expect(configText(settings(3, 99))).toBe("不一致 v3：音量");
    expect(configText(settings(3))).toBe("部分未上报 v3：音量");
  });

  it("config: both versions when the cabinet lags behind", () => {
    expect(configText(settings(2, 20))).toBe("待同步 v2 → v3");
    expect(configText(settings(null))).toBe("待同步 v3（设备未上报）");
  });

  it("config step: names the values that differ or are not reported", () => {
    const step = (volume?: number) =>
      configStep({ ...settings(3, volume), connectivity: "ONLINE" });
    expect(step(34)).toBe("设备上报的参数与期望一致。");
    expect(step(99)).toBe("与期望不一致：音量，请重新同步。");
    expect(step()).toBe("设备未上报：音量，无法确认是否生效。");
  });

  it("counts: account for every door", () => {
    expect(countsText({ total: 20, free: 12, occupied: 6, faulty: 1 })).toBe(
      "空闲 12，占用 6，故障 1，其他（预约或门未关）1，共 20 格",
    );
    expect(countsText({ total: 19, free: 12, occupied: 6, faulty: 1 })).toBe(
      "空闲 12，占用 6，故障 1，共 19 格",
    );
  });
});

it("invalid readings: named, also those this version does not know", () => {
  expect(invalidReadingTexts([])).toEqual([]);
  expect(invalidReadingTexts(undefined)).toEqual([]);
  expect(invalidReadingTexts(["signalDbm", "temperatureC", "humidity"])).toEqual([
    "信号读数无效",
    "温度传感器读数无效",
    "humidity读数无效",
  ]);
});
