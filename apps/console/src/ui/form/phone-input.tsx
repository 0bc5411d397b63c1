// Phone input for forms and filters: strips spaces, dashes and country code from a full number.
import { isPhone, normalizePhone } from "@cabinet/contract/kit/phone.rules.ts";
import { TextInput, type TextInputProps } from "./text-input.tsx";

/** Form control. */
export function PhoneInput({ onChange, ...input }: TextInputProps) {
  return (
    <TextInput
      {...input}
      type="tel"
      autoComplete="off"
      onChange={(text) => onChange?.(isPhone(text) ? normalizePhone(text) : text)}
    />
  );
}
