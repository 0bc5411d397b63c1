// Second step of the sign-in: a code of the authenticator, a recovery code or a passkey.
import { type FormEvent, useState } from "react";
import { useProof } from "../../../domain/proof/use-proof.ts";
import { endSecondStep, type Session } from "../../../kit/session.ts";
import { FormError, LeaveButton, SubmitButton, TextField } from "./fields.tsx";

export function SecondStepForm({ session }: { session: Session }) {
  const proof = useProof(endSecondStep);
  const [code, setCode] = useState("");
  const [isRecovery, setIsRecovery] = useState(false);
  const label = isRecovery ? "恢复码" : "验证码";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === "") proof.setError(`请输入${label}`);
    else void proof.prove({ code: code.trim() });
  };
  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <h1 className="auth-title">两步验证</h1>
      <p className="auth-lead">
        {isRecovery
          ? `${session.username}，请输入一个没有用过的恢复码`
          : `${session.username}，请输入手机验证器里的 6 位验证码`}
      </p>
      <TextField
        key={label}
        label={label}
        name="code"
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        autoFocus
      />
      <FormError text={proof.error} />
      <SubmitButton isBusy={proof.isBusy}>{proof.isBusy ? "正在验证…" : "验证"}</SubmitButton>
      {proof.hasPasskey && (
        <button
          type="button"
          className="auth-submit auth-other"
          aria-disabled={proof.isBusy}
          onClick={() => void proof.proveByPasskey()}
        >
          使用通行密钥
        </button>
      )}
      <p className="auth-captcha">
        <button
          type="button"
          className="auth-link"
          onClick={() => {
            setIsRecovery(!isRecovery);
            setCode("");
            proof.setError(null);
          }}
        >
          {isRecovery ? "改用验证码" : "改用恢复码"}
        </button>
        <LeaveButton />
      </p>
    </form>
  );
}
