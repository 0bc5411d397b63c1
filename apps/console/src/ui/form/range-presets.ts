// Presets of a range picker, by the day in Shanghai on which one is chosen: a page stays open over midnight.
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import dayjs, { type Dayjs } from "dayjs";
import type { DayPreset } from "./day-presets.rules.ts";

interface RangePreset {
  label: string;
  value: () => [from: Dayjs, to: Dayjs];
}

/** `of` offers ranges relative to a day. */
export function rangePresets(of: (today: string) => DayPreset[]): RangePreset[] {
  const ofToday = () => of(shanghaiDay(Date.now()));
  return ofToday().map((drawn) => ({
    label: drawn.label,
    value: () => {
      const { from, to } = ofToday().find(({ label }) => label === drawn.label) ?? drawn;
      return [dayjs(from), dayjs(to)];
    },
  }));
}
