// Two times of day, on the half hour; a second one before the first is on the next day.
import type { TimeSpan } from "@cabinet/contract/kit/opening-hours.rules.ts";
import Select from "antd/es/select";
import "./opening-hours-input.css";

const HALF_HOURS = Array.from({ length: 48 }, (_, index) => {
  const hour = String(Math.floor(index / 2)).padStart(2, "0");
  return `${hour}:${index % 2 ? "30" : "00"}`;
});

/**
 * Keeps the present time selectable even if it is not on the half hour, because other clients may
 * set any time.
 */
function timeOptions(times: readonly string[], present: string) {
  const all = times.includes(present) ? times : [...times, present].sort();
  return all.map((time) => ({ value: time, label: time }));
}

interface TimeSpanInputProps {
  label: string;
  span: TimeSpan;
  onChange: (span: TimeSpan) => void;
}

export function TimeSpanInput({ label, span, onChange }: TimeSpanInputProps) {
  return (
    <>
      <Select
        showSearch
        aria-label={`${label}开始时间`}
        value={span.from}
        options={timeOptions(HALF_HOURS, span.from)}
        onChange={(from) => onChange({ ...span, from })}
      />
      <span>至</span>
      <Select
        showSearch
        aria-label={`${label}结束时间`}
        value={span.to}
        options={timeOptions([...HALF_HOURS, "24:00"], span.to)}
        onChange={(to) => onChange({ ...span, to })}
      />
      {span.to < span.from && <span className="ui-hours-next">次日</span>}
    </>
  );
}
