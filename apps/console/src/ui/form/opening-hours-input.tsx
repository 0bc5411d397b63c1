// Form control for opening hours: unspecified, all day, the same every day, or weekdays and weekend
// apart.
import {
  type DayHours,
  formatOpeningHours,
  type OpeningHours,
  parseOpeningHours,
} from "@cabinet/contract/kit/opening-hours.rules.ts";
import Radio from "antd/es/radio";
import Select from "antd/es/select";
import { useState } from "react";
import type { Control } from "./control.ts";
import { TimeSpanInput } from "./time-span-input.tsx";
import "./opening-hours-input.css";

type Mode = "NONE" | "ALL_DAY" | "DAILY" | "APART";

const modes: { value: Mode; label: string }[] = [
  { value: "NONE", label: "未设置" },
  { value: "ALL_DAY", label: "全天" },
  { value: "DAILY", label: "每天相同" },
  { value: "APART", label: "工作日与周末不同" },
];

const USUAL: DayHours = { from: "08:00", to: "22:00" };

function modeOf(hours: OpeningHours | null): Mode {
  if (!hours) return "NONE";
  const { weekdays, weekend } = hours;
  if (JSON.stringify(weekdays) !== JSON.stringify(weekend)) return "APART";
  return weekdays === "ALL_DAY" ? "ALL_DAY" : "DAILY";
}

export function OpeningHoursInput({ id, value = "", onChange }: Control<string>) {
  const hours = parseOpeningHours(value);
  // Separate state: weekdays and weekend may have equal hours while they are being edited.
  const [isApart, setIsApart] = useState(modeOf(hours) === "APART");
  const mode = hours && isApart ? "APART" : modeOf(hours);
  const { weekdays = USUAL, weekend = USUAL } = hours ?? {};
  const change = (next: OpeningHours) => onChange?.(formatOpeningHours(next));

  const choose = (next: Mode) => {
    setIsApart(next === "APART");
    const day = weekdays && weekdays !== "ALL_DAY" ? weekdays : USUAL;
    if (next === "NONE") onChange?.("");
    else if (next === "ALL_DAY") change({ weekdays: "ALL_DAY", weekend: "ALL_DAY" });
    else if (next === "DAILY") change({ weekdays: day, weekend: day });
    else change({ weekdays: day, weekend: weekend ?? USUAL });
  };

  return (
    <div className="ui-hours">
      <Radio.Group
        {...(id && { id })}
        options={modes}
        value={mode}
        onChange={(event) => choose(event.target.value)}
      />
      {mode === "DAILY" && (
        <DayInput
          label="每天"
          day={weekdays}
          isWhole={false}
          onChange={(day) => change({ weekdays: day, weekend: day })}
        />
      )}
      {mode === "APART" && (
        <>
          <DayInput
            label="工作日"
            day={weekdays}
            isWhole
            onChange={(day) => change({ weekdays: day, weekend })}
          />
          <DayInput
            label="周末"
            day={weekend}
            isWhole
            onChange={(day) => change({ weekdays, weekend: day })}
          />
        </>
      )}
    </div>
  );
}

interface DayInputProps {
  label: string;
  day: DayHours;
  /** Whether the day may be open all day or closed. */
  isWhole: boolean;
  onChange: (day: DayHours) => void;
}

function DayInput({ label, day, isWhole, onChange }: DayInputProps) {
  const span = day && day !== "ALL_DAY" ? day : null;
  const kind = span ? "SPAN" : day === "ALL_DAY" ? "ALL_DAY" : "CLOSED";
  return (
    <div className="ui-hours-day">
      <span>{label}</span>
      {isWhole && (
        <Select
          aria-label={`${label}营业方式`}
          value={kind}
          options={[
            { value: "SPAN", label: "按时段" },
            { value: "ALL_DAY", label: "全天" },
            { value: "CLOSED", label: "休息" },
          ]}
          onChange={(next) =>
            onChange(next === "SPAN" ? USUAL : next === "ALL_DAY" ? "ALL_DAY" : null)
          }
        />
      )}
      {span && <TimeSpanInput label={label} span={span} onChange={onChange} />}
    </div>
  );
}
