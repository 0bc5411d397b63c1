// A form control for a secret that two sides share: typed or made here, to be copied before it is saved.
import Button from "antd/es/button";
import Input from "antd/es/input";
import { randomText } from "../kit/random-text.ts";
import { copyAndTell } from "./copy-text.ts";
import "./new-password-input.css";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

export interface RandomTextInputProps {
  /** Of what is made. */
  length: number;
  placeholder: string;
  /** These three are given by the form. */
  id?: string;
  value?: string;
  onChange?: (text: string) => void;
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
        maxLength={length}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <Button onClick={() => onChange?.(randomText(LETTERS, length))}>生成</Button>
      <Button disabled={!value} onClick={() => void copyAndTell(value)}>
        复制
      </Button>
    </div>
  );
}
