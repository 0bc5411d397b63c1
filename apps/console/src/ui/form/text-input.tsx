// One line of text: looks like antd's Input, without the components and hooks that it has for each of its parts.
import type { ComponentProps, CSSProperties } from "react";
import { ClearButton } from "./clear-button.tsx";
import type { Control } from "./control.ts";

export interface TextInputProps
  extends Omit<ComponentProps<"input">, "id" | "value" | "onChange" | "size">,
    Control<string> {
  size?: "small";
  isClearable?: boolean;
  /** Unit after the text: `元 / 次`. */
  unit?: string;
}

/** Form control. */
export function TextInput(props: TextInputProps) {
  const { value = "", onChange, size, isClearable, unit, className, ...input } = props;
  return (
    <span
      className={`ui-field text-input ${className ?? ""}`}
      data-size={size}
      {...(unit && { "data-unit": unit, style: { "--unit-length": unit.length } as CSSProperties })}
    >
      <input
        type="text"
        {...input}
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      {isClearable && value !== "" && <ClearButton onClear={() => onChange?.("")} />}
    </span>
  );
}
