// A day in Shanghai as a form's control: `2026-11-21`.
import DatePicker from "antd/es/date-picker";
import dayjs from "dayjs";

export interface DayInputProps {
  id?: string;
  value?: string | undefined;
  onChange?: (day: string | undefined) => void;
  /** The first day that can be chosen. */
  from?: string | undefined;
  placeholder?: string;
}

export function DayInput({ id, value, onChange, from, placeholder = "选择日期" }: DayInputProps) {
  return (
    <DatePicker
      {...(id && { id })}
      className="ui-day-input"
      value={value ? dayjs(value) : null}
      placeholder={placeholder}
      disabledDate={(day) => from !== undefined && day.format("YYYY-MM-DD") < from}
      onChange={(day) => onChange?.(day?.format("YYYY-MM-DD"))}
    />
  );
}
