// A moment by Shanghai's clock as a form's control; its value is ISO 8601 in UTC.
import DatePicker from "antd/es/date-picker";
import dayjs from "dayjs";
import { formatDateTime } from "../kit/format.ts";
import { shanghaiToIso } from "./shanghai-time.rules.ts";

export interface DateTimeInputProps {
  id?: string;
  value?: string | undefined;
  onChange?: (time: string | undefined) => void;
  placeholder?: string;
}

/** The picker knows only the browser's zone: it is given Shanghai's clock face as if it were local. */
export function DateTimeInput({ id, value, onChange, placeholder }: DateTimeInputProps) {
  return (
    <DatePicker
      {...(id && { id })}
      className="ui-day-input"
      classNames={{ popup: { root: "ui-time-range" } }}
      showTime={{ format: "HH:mm" }}
      format="YYYY-MM-DD HH:mm"
      value={value ? dayjs(formatDateTime(value)) : null}
      placeholder={placeholder ?? "选择时间"}
      onChange={(face) =>
        onChange?.(face ? shanghaiToIso(face.format("YYYY-MM-DDTHH:mm:ss")) : undefined)
      }
    />
  );
}
