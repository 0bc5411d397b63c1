// A day in Shanghai as a form's control: `2026-11-21`.
import DatePicker from "antd/es/date-picker";
import dayjs, { type Dayjs } from "dayjs";
import type { FocusEvent, KeyboardEvent } from "react";
import { isDateText } from "./field-rules.ts";

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

interface TypedOptions {
  formats: readonly string[];
  value: string | undefined;
  onChange: ((text: string | undefined) => void) | undefined;
}

/**
 * What was typed and is no date is the value: the form quotes it and says so, where an empty field would
 * be taken for no date at all.
 */
export function keepTyped({ formats, value, onChange }: TypedOptions) {
  const isDate = value !== undefined && isDateText(value);
  return {
    ...(value !== undefined && !isDate && { status: "error" as const }),
    onBlur: (event: FocusEvent<HTMLElement>) => {
      const text = (event.target as HTMLInputElement).value.trim();
      if (text === "" ? value !== undefined && !isDate : !isAny(text, formats)) {
        onChange?.(text || undefined);
      }
    },
  };
}

const isAny = (text: string, formats: readonly string[]) =>
  formats.some((format) => dayjs(text, format, true).isValid());

/** What the picker shows; null for what is no date. */
export function faceOf(value: string | undefined, format = (text: string) => text): Dayjs | null {
  return value && isDateText(value) ? dayjs(format(value)) : null;
}

const DAY = "YYYY-MM-DD";

export function DayInput({ id, value, onChange, from, placeholder = "选择日期" }: DayInputProps) {
  return (
    <DatePicker
      {...(id && { id })}
      className="ui-day-input"
      format={DAY}
      value={faceOf(value)}
      placeholder={placeholder}
      disabledDate={(day) => from !== undefined && day.format(DAY) < from}
      {...atOnce((day) => onChange?.(day?.format(DAY)))}
      {...keepTyped({ formats: [DAY], value, onChange })}
    />
  );
}
