// Form control for quiet hours: none, or a range in half hours that may span midnight.
import Select from "antd/es/select";
import Switch from "antd/es/switch";
import type { Control } from "../../../ui/form/control.ts";
import "./maintenance.css";

export interface Quiet {
  /** `HH:MM`, Asia/Shanghai. */
  from: string;
  to: string;
}

const USUAL: Quiet = { from: "22:00", to: "07:00" };
const HALF_HOURS = Array.from({ length: 48 }, (_, index) => {
  const hour = String(Math.floor(index / 2)).padStart(2, "0");
  return `${hour}:${index % 2 ? "30" : "00"}`;
});

/** Half-hour options plus the present value, which may lie between them if set elsewhere. */
const optionsWith = (present: string) =>
  [...new Set([...HALF_HOURS, present])].sort().map((time) => ({ value: time, label: time }));

export function QuietInput({ id, value = null, onChange }: Control<Quiet | null>) {
  return (
    <span className="maintenance-quiet">
      <Switch
        {...(id && { id })}
        checkedChildren="开启"
        unCheckedChildren="不限"
        checked={value !== null}
        onChange={(isOn) => onChange?.(isOn ? USUAL : null)}
      />
      {value && (
        <>
          <Select
            aria-label="免打扰开始"
            showSearch
            value={value.from}
            options={optionsWith(value.from)}
            onChange={(from: string) => onChange?.({ ...value, from })}
          />
          至
          <Select
            aria-label="免打扰结束"
            showSearch
            value={value.to}
            options={optionsWith(value.to)}
            onChange={(to: string) => onChange?.({ ...value, to })}
          />
          {value.to <= value.from && <small>次日</small>}
        </>
      )}
    </span>
  );
}
