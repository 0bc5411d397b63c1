// List filter by a range of days in Shanghai, both inclusive: `2026-11-01` to `2026-11-21`.
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import DatePicker from "antd/es/date-picker";
import dayjs, { type Dayjs } from "dayjs";
import type { Filter } from "../ui/list/filters.tsx";
import "../ui/list/time-range-filter.css";

function presets(most: number) {
  const today = shanghaiDay(Date.now());
  const back = (days: number): [Dayjs, Dayjs] => [dayjs(addDays(today, 1 - days)), dayjs(today)];
  const yesterday = dayjs(addDays(today, -1));
  const all = [
    { label: "今天", value: back(1), days: 1 },
    { label: "昨天", value: [yesterday, yesterday] as [Dayjs, Dayjs], days: 1 },
    { label: "近 7 天", value: back(7), days: 7 },
    { label: "近 30 天", value: back(30), days: 30 },
    { label: "近 90 天", value: back(90), days: 90 },
  ];
  return all.filter(({ days }) => days <= most);
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
