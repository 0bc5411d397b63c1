// Dialog before a sensitive action whose last proof is older than 15 minutes.
import Alert from "antd/es/alert";
import Input, { type InputRef } from "antd/es/input";
import { type FormEvent, useId, useRef, useState } from "react";
import type { FinishProof } from "../../kit/proof.ts";
import { Button } from "../../ui/display/button.tsx";
import { Modal } from "../../ui/display/overlays.tsx";
import { useFirstFocus } from "../../ui/display/use-first-focus.ts";
import { useProof } from "./use-proof.ts";
import "./proof.css";

export function ProofDialog({ finish }: { finish: FinishProof }) {
  return (
    <Modal
      open
      destroyOnHidden
      title="验证身份"
      width={420}
      footer={null}
      mask={{ closable: false }}
      scrollLock={false}
      onCancel={() => finish(null)}
    >
      <ProofForm finish={finish} />
    </Modal>
  );
}

function ProofForm({ finish }: { finish: FinishProof }) {
  const proof = useProof((_, provenAt) => finish(provenAt));
  const [typed, setTyped] = useState("");
  const field = useRef<InputRef>(null);
  const id = useId();
  useFirstFocus(() => field.current);
  const { isByPassword, isBusy, error } = proof;
  const label = isByPassword ? "登录密码" : "验证码或恢复码";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === "") proof.setError(`请输入${label}`);
    else void proof.prove(isByPassword ? { password: typed } : { code: typed.trim() });
  };
  const input = {
    id,
    value: typed,
    ref: field,
    onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
  };
  return (
    <form className="proof-form" onSubmit={submit} noValidate>
      <p>这是一项敏感操作，上次验证已过期。验证通过后继续，填写的内容不会丢失。</p>
      <label htmlFor={id}>{label}</label>
      {isByPassword ? (
        <Input.Password {...input} autoComplete="current-password" maxLength={128} />
      ) : (
        <Input {...input} autoComplete="one-time-code" maxLength={32} />
      )}
      {error && <Alert type="error" showIcon role="alert" title={error} />}
      <div className="proof-buttons">
        {proof.hasPasskey && (
          <Button disabled={isBusy} onClick={() => void proof.proveByPasskey()}>
            使用通行密钥
          </Button>
        )}
        <Button disabled={isBusy} onClick={() => finish(null)}>
          取消
        </Button>
        <Button type="primary" htmlType="submit" loading={isBusy}>
          验证
        </Button>
      </div>
    </form>
  );
}
