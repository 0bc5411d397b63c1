// A day in Shanghai as a form's control: `2026-11-21`.
import DatePicker from "antd/es/date-picker";
import dayjs, { type Dayjs } from "dayjs";
import type { KeyboardEvent } from "react";

export interface DayInputProps {
  id?: string;
  value?: string | undefined;
  onChange?: (day: string | undefined) => void;
  /** The first day that can be chosen. */
  from?: string | undefined;
  placeholder?: string;
}

/**
 * What is typed or clicked counts at once, not only when the calendar has closed: the click that closes
 * it may be the one that sends the form. Enter sends nothing: a text that is no date is no value.
 */
export function atOnce(take: (face: Dayjs | null) => void) {
  return {
    onChange: take,
    onCalendarChange: (faces: Dayjs | Dayjs[]) => take([faces].flat()[0] ?? null),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter") event.preventDefault();
    },
  };
}

export function DayInput({ id, value, onChange, from, placeholder = "选择日期" }: DayInputProps) {
  return (
    <DatePicker
      {...(id && { id })}
      className="ui-day-input"
      value={value ? dayjs(value) : null}
      placeholder={placeholder}
      disabledDate={(day) => from !== undefined && day.format("YYYY-MM-DD") < from}
      {...atOnce((day) => onChange?.(day?.format("YYYY-MM-DD")))}
    />
  );
}
