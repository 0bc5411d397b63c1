// Form control for a date and time in Shanghai; its value is ISO 8601 in UTC.
import DatePicker from "antd/es/date-picker";
import dayjs, { type Dayjs } from "dayjs";
import { formatDateTime } from "../../kit/format.ts";
import type { Control } from "./control.ts";
import { atOnce, faceOf, keepTyped } from "./day-input.tsx";
import { isoOf } from "./shanghai-face.ts";

export interface DateTimeInputProps extends Control<string | undefined> {
  placeholder?: string;
  /** End of a period: choosing only a day means the end of that day. */
  isEnd?: boolean;
}

const FORMATS = ["YYYY-MM-DD HH:mm", "YYYY-MM-DD"];

export function DateTimeInput({ id, value, onChange, placeholder, isEnd }: DateTimeInputProps) {
  const take = (face: Dayjs | null) => onChange?.(isoOf(face) || undefined);
  return (
    <DatePicker
      {...(id && { id })}
      className="ui-day-input"
      classNames={{ popup: { root: "ui-time-range" } }}
      showTime={{
        format: "HH:mm",
        ...(isEnd && { defaultOpenValue: dayjs("2000-01-01T23:59:00") }),
      }}
      format={FORMATS}
      needConfirm={false}
      value={faceOf(value, formatDateTime)}
      placeholder={placeholder ?? "选择时间"}
      {...atOnce(take)}
      {...keepTyped({ formats: FORMATS, value, onChange })}
    />
  );
}
