// The cabinet list's readings.
import { describe, expect, it } from "vitest";
import { configText, countsText, isConfigInSync, signalBars } from "./cabinet-display.rules.ts";

describe("cabinet list, readings", () => {
  it("draws more bars for a better signal", () => {
    expect([-120, -100, -90, -80, -60].map(signalBars)).toEqual([0, 1, 2, 3, 4]);
  });

  it("says both versions when the cabinet lags behind", () => {
    const versions = (desired: number, reported: number | null) => ({
      desiredConfigVersion: desired,
      reportedConfigVersion: reported,
    });
    expect(configText(versions(3, 3))).toBe("一致 v3");
    expect(configText(versions(3, 2))).toBe("待同步 v2 → v3");
    expect(configText(versions(3, null))).toBe("待同步 v3（设备未上报）");
    expect(isConfigInSync(versions(3, null))).toBe(false);
  });

  it("accounts for every door", () => {
    expect(countsText({ total: 20, free: 12, occupied: 6, faulty: 1 })).toBe(
      "空闲 12，占用 6，故障 1，其他（预约或门未关）1，共 20 格",
    );
    expect(countsText({ total: 19, free: 12, occupied: 6, faulty: 1 })).toBe(
      "空闲 12，占用 6，故障 1，共 19 格",
    );
  });
});
