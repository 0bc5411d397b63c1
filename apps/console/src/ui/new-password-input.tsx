// A form control for somebody else's first password: typed or made here, readable, with what it must be.
import { passwordWeakness } from "@cabinet/contract/auth/password.rules.ts";
import Button from "antd/es/button";
import Input from "antd/es/input";
import { randomText } from "../kit/random-text.ts";
import { PasswordRules } from "./password-rules.tsx";
import "./new-password-input.css";

/** Letters and digits that nobody mistakes for each other on paper or on the phone. */
const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** `kT7m-Qp2x-…`: 16 letters, made by the browser and sent to nobody but the server. */
function makePassword(username: string): string {
  for (;;) {
    const group = () => randomText(LETTERS, GROUP_LENGTH);
    const password = Array.from({ length: GROUPS }, group).join("-");
    if (passwordWeakness(password, username || "-") === null) return password;
  }
}

export interface NewPasswordInputProps {
  /** Whose it is to be: it must not contain the name. */
  username: string;
  /** These three are given by the form. */
  id?: string;
  value?: string;
  onChange?: (password: string) => void;
}

export function NewPasswordInput({ username, id, value = "", onChange }: NewPasswordInputProps) {
  return (
    <div className="ui-new-password">
      <div className="ui-new-password-line">
        <Input
          {...(id && { id })}
          className="ui-new-password-text"
          autoComplete="off"
          spellCheck={false}
          maxLength={128}
          placeholder="输入，或点“生成”"
          value={value}
          onChange={(event) => onChange?.(event.target.value)}
        />
        <Button onClick={() => onChange?.(makePassword(username))}>生成</Button>
      </div>
      <PasswordRules password={value} username={username || " "} />
    </div>
  );
}
