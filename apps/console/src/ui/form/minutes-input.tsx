// Form control for a length of time: typed in minutes, hours or days, stored in minutes.
import InputNumber from "antd/es/input-number";
import Select from "antd/es/select";
import { useState } from "react";
import type { Control } from "./control.ts";
import { isWholeIn, TIME_UNITS, unitOf } from "./minutes.rules.ts";
import "./minutes-input.css";

export interface MinutesInputProps extends Control<number | null> {
  placeholder?: string;
}

export function MinutesInput({ id, value = null, onChange, placeholder = "" }: MinutesInputProps) {
  // Kept while typing: 60 minutes do not become 1 hour under the cursor.
  const [chosen, setChosen] = useState<number | null>(null);
  const unit = chosen !== null && isWholeIn(chosen, value) ? chosen : unitOf(value);
  const count = value === null ? null : value / unit;
  const change = (next: number | null, by: number) => {
    setChosen(by);
    onChange?.(next === null ? null : next * by);
  };
  return (
    <div className="ui-minutes">
      <InputNumber
        {...(id && { id })}
        precision={0}
        min={0}
        placeholder={placeholder}
        value={count}
        onChange={(next) => change(next, unit)}
      />
      <Select
        aria-label="时间单位"
        value={unit}
        options={TIME_UNITS}
        onChange={(by) => change(count, by)}
      />
    </div>
  );
}
