// One line of text: looks like antd's Input, without the components and hooks that it has for each of its parts.
import type { ComponentProps } from "react";
import { ClearButton } from "./clear-button.tsx";
import type { Control } from "./control.ts";

export interface TextInputProps
  extends Omit<ComponentProps<"input">, "id" | "value" | "onChange" | "size">,
    Control<string> {
  size?: "small";
  isClearable?: boolean;
}

/** Form control. */
export function TextInput(props: TextInputProps) {
  const { value = "", onChange, size, isClearable, className, ...input } = props;
  return (
    <span className={`ui-field text-input ${className ?? ""}`} data-size={size}>
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
