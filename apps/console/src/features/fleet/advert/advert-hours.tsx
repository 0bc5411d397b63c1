// Form control for daily hours: all day, or from one time until another.
import Radio from "antd/es/radio";
import Select from "antd/es/select";
import type { Control } from "../../../ui/form/control.ts";
import "./advert-hours.css";

/** Times as `08:00`; the range ends on the next day if `until` is earlier than `from`. */
export interface Hours {
  from: string;
  until: string;
}

const USUAL: Hours = { from: "08:00", until: "22:00" };

const HALF_HOURS = Array.from({ length: 48 }, (_, index) => {
  const time = `${String(Math.floor(index / 2)).padStart(2, "0")}:${index % 2 ? "30" : "00"}`;
  return { value: time, label: time };
});

export function HoursInput({ id, value = null, onChange }: Control<Hours | null>) {
  return (
    <div className="advert-hours">
      <Radio.Group
        {...(id && { id })}
        options={[
          { value: false, label: "全天" },
          { value: true, label: "按时段" },
        ]}
        value={value !== null}
        onChange={(event) => onChange?.(event.target.value ? USUAL : null)}
      />
      {value && (
        <span className="advert-hours-span">
          <Select
            showSearch
            aria-label="每日开始时间"
            value={value.from}
            options={HALF_HOURS}
            onChange={(from) => onChange?.({ ...value, from })}
          />
          至{value.until < value.from && " 次日"}
          <Select
            showSearch
            aria-label="每日结束时间"
            value={value.until}
            options={HALF_HOURS}
            onChange={(until) => onChange?.({ ...value, until })}
          />
        </span>
      )}
    </div>
  );
}
