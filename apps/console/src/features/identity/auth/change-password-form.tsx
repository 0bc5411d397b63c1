// Mandatory password change at first sign-in; no page opens before it is done.
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { GUESSABLE_RULE, passwordChecks } from "@cabinet/contract/identity/auth/password.rules.ts";
import { type FormEvent, useState } from "react";
import { call } from "../../../kit/api.ts";
import { messageOf } from "../../../kit/feedback.ts";
import { type Session, sessionStore } from "../../../kit/session.ts";
import { FormError, LeaveButton, PasswordField, SubmitButton } from "./fields.tsx";

export interface ChangePasswordFormProps {
  session: Session;
  /** Password typed in the sign-in form; empty after a reload. */
  typedPassword: string;
}

export function ChangePasswordForm({ session, typedPassword }: ChangePasswordFormProps) {
  const [oldPassword, setOldPassword] = useState(typedPassword);
  const [newPassword, setNewPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const checks = [
    ...passwordChecks(newPassword, session.username),
    { rule: "与原密码不同", isMet: newPassword !== "" && newPassword !== oldPassword },
  ];

  function problem(): string | null {
    if (!oldPassword) return "请输入原密码";
    const unmet = checks.find((check) => !check.isMet);
    if (unmet) return `新密码须满足：${unmet.rule}`;
    return newPassword === repeated ? null : "两次输入的新密码不一致";
  }

  async function change(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const found = problem();
    setError(found);
    if (found) return;
    setIsBusy(true);
    try {
      const changed = await call(authContract.changePassword, {
        body: { oldPassword, newPassword },
      });
      sessionStore.setState({ session: changed });
    } catch (failure) {
      setError(messageOf(failure));
      setIsBusy(false);
    }
  }

  return (
    <form className="auth-form" onSubmit={change} noValidate>
      <h1 className="auth-title">修改密码</h1>
      <p className="auth-lead">{session.username}，首次登录请先设置您自己的密码</p>
      <input type="hidden" name="username" autoComplete="username" value={session.username} />
      <PasswordField
        label="原密码"
        name="old-password"
        value={oldPassword}
        onChange={setOldPassword}
        autoComplete="current-password"
        autoFocus={typedPassword === ""}
      />
      <PasswordField
        label="新密码"
        name="new-password"
        value={newPassword}
        onChange={setNewPassword}
        autoComplete="new-password"
        autoFocus={typedPassword !== ""}
      />
      <ul className="auth-rules" aria-label="新密码的要求">
        {checks.map(({ rule, isMet }) => (
          <li key={rule} data-met={isMet}>
            {rule}
            <span className="visually-hidden">{isMet ? "，已满足" : "，未满足"}</span>
          </li>
        ))}
        <li>
          {GUESSABLE_RULE}
          <span className="visually-hidden">，保存时检查</span>
        </li>
      </ul>
      <PasswordField
        label="再次输入新密码"
        name="repeat-password"
        value={repeated}
        onChange={setRepeated}
        autoComplete="new-password"
      />
      <FormError text={error} />
      <SubmitButton isBusy={isBusy}>{isBusy ? "正在保存…" : "保存并进入"}</SubmitButton>
      <p className="auth-captcha">
        <LeaveButton />
      </p>
    </form>
  );
}
