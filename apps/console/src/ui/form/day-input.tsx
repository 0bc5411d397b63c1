// Form control for a day in Shanghai: `2026-11-21`.
import DatePicker from "antd/es/date-picker";
import dayjs, { type Dayjs } from "dayjs";
import type { FocusEvent, KeyboardEvent } from "react";
import type { Control } from "./control.ts";
import { isDateText } from "./field-rules.ts";
import "./shanghai-face.ts";

export interface DayInputProps extends Control<string | undefined> {
  /** Earliest selectable day. */
  from?: string | undefined;
  placeholder?: string;
  /** Name for screen readers, for a control without a label of its own. */
  label?: string;
}

/**
 * Applies typed or clicked dates at once, not when the calendar closes: the closing click may
 * submit the form. Enter never submits, because the text may not be a valid date.
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
 * Keeps invalid text as the value, so that the form quotes it in its error; an empty field would
 * silently mean no date.
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

/** Date shown by the picker; null for text that is not a date. */
export function faceOf(value: string | undefined, format = (text: string) => text): Dayjs | null {
  return value && isDateText(value) ? dayjs(format(value)) : null;
}

const DAY = "YYYY-MM-DD";

export function DayInput(props: DayInputProps) {
  const { id, value, onChange, from, placeholder = "选择日期", label } = props;
  return (
    <DatePicker
      {...(id && { id })}
      {...(label && { "aria-label": label })}
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
