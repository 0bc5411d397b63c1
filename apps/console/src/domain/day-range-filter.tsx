// List filter by a range of days in Shanghai, both inclusive: `2026-11-01` to `2026-11-21`.
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import DatePicker from "antd/es/date-picker";
import dayjs from "dayjs";
import { dayPresets } from "../ui/form/day-presets.rules.ts";
import { rangePresets } from "../ui/form/range-presets.ts";
import "../ui/form/shanghai-face.ts";
import type { Filter } from "../ui/list/filters.tsx";
import "../ui/list/time-range-filter.css";

function presets(most: number) {
  return rangePresets((today) => {
    const quarter = { label: "近 90 天", from: addDays(today, -89), to: today };
    return [...dayPresets(today), quarter].filter(({ from, to }) => addDays(from, most) > to);
  });
}

interface DayRange {
  label: string;
  /** Default range when nothing is chosen. */
  usual: { from: string; to: string };
  /** Maximum number of days in the range. */
  most: number;
}

export function dayRangeFilter({ label, usual, most }: DayRange): Filter<"from" | "to"> {
  const face = (day: string) => dayjs(day);
  return {
    label,
    names: ["from", "to"],
    control: ({ id, texts, change }) => (
      <DatePicker.RangePicker
        id={{ start: id, end: `${id}-end` }}
        classNames={{ popup: { root: "ui-time-range" } }}
        format="YYYY-MM-DD"
        allowClear={false}
        presets={presets(most)}
        disabledDate={(day, { from }) =>
          day.format("YYYY-MM-DD") > shanghaiDay(Date.now()) ||
          (from !== undefined && Math.abs(day.diff(from, "day")) >= most)
        }
        value={[face(texts.from || usual.from), face(texts.to || usual.to)]}
        onChange={(days) =>
          change({
            from: days?.[0]?.format("YYYY-MM-DD") ?? "",
            to: days?.[1]?.format("YYYY-MM-DD") ?? "",
          })
        }
      />
    ),
  };
}
