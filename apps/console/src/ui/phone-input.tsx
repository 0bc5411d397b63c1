// The input of every phone, in forms and filters: a whole number loses its spaces, dashes and country code.
import { isPhone, normalizePhone } from "@cabinet/contract/kit/phone.rules.ts";
import Input from "antd/es/input";

/** Room for a country code, spaces and dashes. */
const MAX_LENGTH = 32;

export interface PhoneInputProps {
  id?: string;
  value?: string;
  onChange?: (phone: string) => void;
  placeholder?: string;
  allowClear?: boolean;
}

/** A form control. */
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
