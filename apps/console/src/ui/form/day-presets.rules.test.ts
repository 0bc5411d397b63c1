// Ranges of days that pickers offer.
import { expect, it } from "vitest";
import { dayPresets } from "./day-presets.rules.ts";

const presetOf = (today: string, label: string) => {
  const { from, to } = dayPresets(today).find((preset) => preset.label === label) ?? {};
  return [from, to];
};

it("presets: a week begins on Monday, a month on its first day", () => {
  // A Sunday and a Monday.
  expect(presetOf("2026-03-01", "本周")).toEqual(["2026-02-23", "2026-03-01"]);
  expect(presetOf("2026-03-02", "本周")).toEqual(["2026-03-02", "2026-03-02"]);
  expect(presetOf("2026-03-02", "上周")).toEqual(["2026-02-23", "2026-03-01"]);
  expect(presetOf("2026-03-01", "本月")).toEqual(["2026-03-01", "2026-03-01"]);
  expect(presetOf("2026-03-01", "上月")).toEqual(["2026-02-01", "2026-02-28"]);
  expect(presetOf("2026-01-15", "上月")).toEqual(["2025-12-01", "2025-12-31"]);
});

it("presets: yesterday is one day, 近 7 天 and 近 30 天 include today", () => {
  expect(presetOf("2026-03-01", "昨天")).toEqual(["2026-02-28", "2026-02-28"]);
  expect(presetOf("2026-11-21", "近 7 天")).toEqual(["2026-11-15", "2026-11-21"]);
  expect(presetOf("2026-11-21", "近 30 天")).toEqual(["2026-10-23", "2026-11-21"]);
});
