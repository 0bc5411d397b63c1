// Phone input for forms and filters: strips spaces, dashes and country code from a full number.
import { isPhone, normalizePhone } from "@cabinet/contract/kit/phone.rules.ts";
import Input from "antd/es/input";
import type { Control } from "./control.ts";

/** Leaves space for a country code, spaces and dashes. */
const MAX_LENGTH = 32;

export interface PhoneInputProps extends Control<string> {
  placeholder?: string;
  allowClear?: boolean;
}

/** Form control. */
export function PhoneInput({ value = "", onChange, ...input }: PhoneInputProps) {
  return (
    <Input
      {...input}
      type="tel"
      autoComplete="off"
      maxLength={MAX_LENGTH}
      value={value}
      onChange={({ target: { value: text } }) =>
        onChange?.(isPhone(text) ? normalizePhone(text) : text)
      }
    />
  );
}
