// Form control for another account's first password: typed or generated, readable, with the
// password rules.
import { passwordWeakness } from "@cabinet/contract/identity/auth/password.rules.ts";
import Input from "antd/es/input";
import { randomText } from "../../kit/random-text.ts";
import { Button } from "../../ui/display/button.tsx";
import type { Control } from "../../ui/form/control.ts";
import { PasswordRules } from "./password-rules.tsx";
import "../../ui/form/new-password-input.css";

/** Letters and digits that cannot be confused on paper or by phone. */
const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUPS = 4;
const GROUP_LENGTH = 4;

/**
 * Generates a password such as `kT7m-Qp2x-…`: 16 characters, made in the browser and sent only to
 * the server.
 */
function makePassword(username: string): string {
  for (;;) {
    const group = () => randomText(LETTERS, GROUP_LENGTH);
    const password = Array.from({ length: GROUPS }, group).join("-");
    if (passwordWeakness(password, username || "-") === null) return password;
  }
}

export interface NewPasswordInputProps extends Control<string> {
  /** Account name, which the password must not contain. */
  username: string;
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
