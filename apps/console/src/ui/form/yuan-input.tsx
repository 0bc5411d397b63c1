// Form control for an amount of money: typed in yuan, stored in fen.
import { fenOfYuan, yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import { useState } from "react";
import { Examples } from "../display/examples.tsx";
import type { Control } from "./control.ts";
import { TextInput, type TextInputProps } from "./text-input.tsx";

/** The value is in fen; text that is not an amount stays as typed; null: empty. */
export interface YuanInputProps
  extends Omit<TextInputProps, "value" | "onChange">,
    Control<number | string | null> {}

export function YuanInput({ value = null, onChange, unit = "元", ...input }: YuanInputProps) {
  const [typed, setTyped] = useState("");
  const isOfTyped = value === (fenOfYuan(typed) ?? (typed === "" ? null : typed));
  const given = typeof value === "number" ? yuanOfFen(value) : (value ?? "");
  return (
    <TextInput
      inputMode="decimal"
      {...input}
      unit={unit}
      // Keeps `3.` and `3.50` as typed.
      value={isOfTyped ? typed : given}
      onChange={(text) => {
        setTyped(text);
        onChange?.(text.trim() === "" ? null : (fenOfYuan(text) ?? text));
      }}
    />
  );
}

interface AmountInputProps extends YuanInputProps {
  mostFen: number;
  /** Offers 0 beside the whole amount and its half. */
  offersNone?: boolean;
}

/** Form control for an amount up to a limit, with presets. */
export function AmountInput({ mostFen, offersNone = false, ...input }: AmountInputProps) {
  const presets: Record<string, number> = {
    全额: mostFen,
    ...(mostFen > 1 && { 一半: Math.floor(mostFen / 2) }),
    ...(offersNone && { 免收: 0 }),
  };
  return (
    <>
      <YuanInput {...input} />
      <Examples
        of={mostFen > 0 ? Object.keys(presets) : []}
        onChoose={(name) => input.onChange?.(presets[name] ?? null)}
      />
    </>
  );
}

/** Amounts with more digits than `fenOfYuan` reads. */
const TOO_LONG = /^\d{8,}(\.\d{1,2})?$/;

/** Describes the problem of a value, or null; `mostFen` is the upper limit. */
export function yuanProblem(value: unknown, label: string, mostFen: number): string | null {
  const isAboveMost =
    typeof value === "string" ? TOO_LONG.test(value.trim()) : Number(value) > mostFen;
  if (isAboveMost) return `${label}不能超过 ${yuanOfFen(mostFen)} 元`;
  return typeof value === "string" ? `${label}须为金额，最多两位小数，如 3.50` : null;
}
