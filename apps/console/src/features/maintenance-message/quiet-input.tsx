// A form control for quiet hours: none, or from one half hour to another, over midnight too.
import Select from "antd/es/select";
import Switch from "antd/es/switch";
import "./maintenance.css";

export interface Quiet {
  /** `HH:MM` in Shanghai. */
  from: string;
  to: string;
}

const USUAL: Quiet = { from: "22:00", to: "07:00" };
const HALF_HOURS = Array.from({ length: 48 }, (_, index) => {
  const hour = String(Math.floor(index / 2)).padStart(2, "0");
  return `${hour}:${index % 2 ? "30" : "00"}`;
});

/** A time between the half hours, as somebody may have set it elsewhere, stays choosable. */
const optionsWith = (present: string) =>
  [...new Set([...HALF_HOURS, present])].sort().map((time) => ({ value: time, label: time }));

export interface QuietInputProps {
  /** These three are given by the form. */
  id?: string;
  value?: Quiet | null;
  onChange?: (quiet: Quiet | null) => void;
}

export function QuietInput({ id, value = null, onChange }: QuietInputProps) {
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
