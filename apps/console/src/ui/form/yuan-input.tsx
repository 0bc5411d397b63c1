// Form control for an amount of money: typed in yuan, stored in fen.
import { fenOfYuan, yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import Input from "antd/es/input";
import { useState } from "react";
import type { Control } from "./control.ts";

/** The value is in fen; text that is not an amount stays as typed; null: empty. */
export interface YuanInputProps extends Control<number | string | null> {
  placeholder?: string;
  /** Unit after the amount: `元 / 次`. */
  unit?: string;
}

export function YuanInput({
  id,
  value = null,
  onChange,
  placeholder,
  unit = "元",
}: YuanInputProps) {
  const [typed, setTyped] = useState("");
  const isOfTyped = value === (fenOfYuan(typed) ?? (typed === "" ? null : typed));
  const given = typeof value === "number" ? yuanOfFen(value) : (value ?? "");
  return (
    <Input
      {...(id && { id })}
      inputMode="decimal"
      maxLength={10}
      placeholder={placeholder}
      suffix={unit}
      // Keeps `3.` and `3.50` as typed.
      value={isOfTyped ? typed : given}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange?.(target.value.trim() === "" ? null : (fenOfYuan(target.value) ?? target.value));
      }}
    />
  );
}

/** Describes the problem of a value, or null; `mostFen` is the upper limit. */
export function yuanProblem(value: unknown, label: string, mostFen: number): string | null {
  if (typeof value === "string") return `${label}须为金额，最多两位小数，如 3.50`;
  if (typeof value === "number" && value > mostFen) {
    return `${label}不能超过 ${yuanOfFen(mostFen)} 元`;
  }
  return null;
}
