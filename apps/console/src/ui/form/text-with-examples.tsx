// Text field with preset texts; a further one is added behind what is there.
import Input from "antd/es/input";
import type { TextAreaProps } from "antd/es/input/TextArea";
import { Examples } from "../display/examples.tsx";

/** Form control. */
export function TextWithExamples({ of, ...field }: TextAreaProps & { of: readonly string[] }) {
  const text = String(field.value ?? "");
  // Form.Item takes the value of an event as well as the value itself.
  const change = field.onChange as ((value: string) => void) | undefined;
  const choose = (example: string) => {
    if (text.includes(example)) return;
    change?.(text.trim() ? `${text.trim()}，${example}` : example);
  };
  return (
    <>
      <Input.TextArea rows={2} maxLength={200} {...field} />
      <Examples of={of} onChoose={choose} />
    </>
  );
}
