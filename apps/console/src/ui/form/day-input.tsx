// Form control for a day in Shanghai: `2026-11-21`.

import { isDateText } from "@cabinet/contract/kit/field.rules.ts";
import DatePicker from "antd/es/date-picker";
import dayjs, { type Dayjs } from "dayjs";
import type { FocusEvent, KeyboardEvent } from "react";
import type { Control } from "./control.ts";
import "./shanghai-face.ts";

export interface DayInputProps extends Control<string | undefined> {
  /** Earliest selectable day. */
  from?: string | undefined;
  placeholder?: string;
  /** Name for screen readers, for a control without a label of its own. */
  label?: string;
}

/** Applies typed or clicked dates at once, not when the calendar closes: the closing click may submit the form. */
export function atOnce(take: (face: Dayjs | null) => void) {
  return {
    onChange: take,
    onCalendarChange: (faces: Dayjs | Dayjs[]) => take([faces].flat()[0] ?? null),
  };
}

const DAY = "YYYY-MM-DD";
/** Ways to write a day; a picker takes the first while somebody types, and all of them at the end. */
export const TYPED_DAYS = [DAY, "YYYY-M-D", "YYYY/M/D", "YYYY.M.D", "YYYYMMDD", "YYYY年M月D日"];

interface TypedOptions {
  formats: readonly string[];
  value: string | undefined;
  onChange: ((text: string | undefined) => void) | undefined;
  /** Value of a face. */
  textOf: (face: Dayjs, format: string) => string;
}

/**
 * Takes what was typed at Enter, which never submits, and when the field is left. Invalid text is kept as the value then, so
 * that the form quotes it in its error; an empty field would silently mean no date.
 */
export function keepTyped({ formats, value, onChange, textOf }: TypedOptions) {
  const isDate = value !== undefined && isDateText(value);
  const take = ({ value: typed }: HTMLInputElement, isLeft: boolean) => {
    const text = typed.normalize("NFKC").replace(/\s+/g, " ").trim();
    const format = formats.find((each) => dayjs(text, each, true).isValid());
    if (format) {
      const taken = textOf(dayjs(text, format, true), format);
      if (taken !== value) onChange?.(taken);
    } else if (isLeft && (text !== "" || !isDate)) onChange?.(text || undefined);
  };
  return {
    ...(value !== undefined && !isDate && { status: "error" as const }),
    onBlur: ({ target }: FocusEvent<HTMLElement>) => take(target as HTMLInputElement, true),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      take(event.target as HTMLInputElement, false);
    },
  };
}

/** Date shown by the picker; null for text that is not a date. */
export function faceOf(value: string | undefined, format = (text: string) => text): Dayjs | null {
  return value && isDateText(value) ? dayjs(format(value)) : null;
}

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
      {...keepTyped({ formats: TYPED_DAYS, value, onChange, textOf: (day) => day.format(DAY) })}
    />
  );
}
