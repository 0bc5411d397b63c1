// List filter by a month: `2026-10`.
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import DatePicker from "antd/es/date-picker";
import dayjs from "dayjs";
import "../form/shanghai-face.ts";
import type { Filter } from "./filters.tsx";

/** `usual` is shown until another month is chosen. */
export function monthFilter<Name extends string>(
  name: Name,
  label: string,
  usual: string,
): Filter<Name> {
  return {
    label,
    names: [name],
    control: ({ id, texts, change }) => (
      <DatePicker
        id={id}
        picker="month"
        format="YYYY-MM"
        allowClear={false}
        disabledDate={(day) => day.format("YYYY-MM") > shanghaiDay(Date.now()).slice(0, 7)}
        value={dayjs(texts[name] || usual)}
        onChange={(day) => change({ [name]: day ? day.format("YYYY-MM") : "" })}
      />
    ),
  };
}
