// Form control for a shared secret: typed or generated, with a copy button.
import Input from "antd/es/input";
import { randomText } from "../../kit/random-text.ts";
import { Button } from "../display/button.tsx";
import { copyWithToast } from "../display/copy-text.ts";
import type { Control } from "./control.ts";
import "./new-password-input.css";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

export interface RandomTextInputProps extends Control<string> {
  /** Length of the generated text. */
  length: number;
  placeholder: string;
}

export function RandomTextInput(props: RandomTextInputProps) {
  const { length, placeholder, id, value = "", onChange } = props;
  return (
    <div className="ui-new-password-line">
      <Input
        {...(id && { id })}
        className="ui-new-password-text"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <Button onClick={() => onChange?.(randomText(LETTERS, length))}>生成</Button>
      <Button disabled={!value} onClick={() => void copyWithToast(value)}>
        复制
      </Button>
    </div>
  );
}
