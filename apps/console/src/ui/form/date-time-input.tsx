// Form control for a date and time in Shanghai; its value is ISO 8601 in UTC.
import DatePicker from "antd/es/date-picker";
import dayjs, { type Dayjs } from "dayjs";
import { formatDateTime } from "../../kit/format.ts";
import type { Control } from "./control.ts";
import { atOnce, faceOf, keepTyped, TYPED_DAYS } from "./day-input.tsx";
import { isoOf } from "./shanghai-face.ts";

export interface DateTimeInputProps extends Control<string | undefined> {
  placeholder?: string;
  /** End of a period: choosing only a day means the end of that day. */
  isEnd?: boolean;
}

const FORMAT = "YYYY-MM-DD HH:mm";
const TYPED_TIMES = TYPED_DAYS.flatMap((day) => [`${day} HH:mm`, `${day} H:mm`, `${day} HH:mm:ss`]);

export function DateTimeInput({ id, value, onChange, placeholder, isEnd }: DateTimeInputProps) {
  const take = (face: Dayjs | null) => onChange?.(isoOf(face) || undefined);
  const textOf = (face: Dayjs, format: string) =>
    isoOf(isEnd && TYPED_DAYS.includes(format) ? face.hour(23).minute(59) : face);
  return (
    <DatePicker
      {...(id && { id })}
      className="ui-day-input"
      classNames={{ popup: { root: "ui-time-range" } }}
      showTime={{
        format: "HH:mm",
        ...(isEnd && { defaultOpenValue: dayjs("2000-01-01T23:59:00") }),
      }}
      format={FORMAT}
      needConfirm={false}
      value={faceOf(value, formatDateTime)}
      placeholder={placeholder ?? "选择时间"}
      {...atOnce(take)}
      {...keepTyped({ formats: [...TYPED_TIMES, ...TYPED_DAYS], value, onChange, textOf })}
    />
  );
}
