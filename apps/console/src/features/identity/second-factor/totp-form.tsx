// Binds an authenticator: QR code, secret to type, and the first code.
import { secondFactorContract } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import {
  isTotpCode,
  tidyCode,
} from "@cabinet/contract/identity/second-factor/second-factor.rules.ts";
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import Alert from "antd/es/alert";
import Input, { type InputRef } from "antd/es/input";
import QRCode from "antd/es/qr-code";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { call } from "../../../kit/api.ts";
import { messageOf } from "../../../kit/feedback.ts";
import { Button } from "../../../ui/display/button.tsx";
import { copyWithToast } from "../../../ui/display/copy-text.ts";
import "../../../domain/proof/proof.css";
import "./second-factor.css";

type Begun = Reply<(typeof secondFactorContract)["beginTotp"]>;

/** In groups of four, as authenticators show it. */
const inGroups = (secret: string) => secret.replace(/(.{4})(?=.)/g, "$1 ");

export interface TotpFormProps {
  /** Called with recovery codes if it is the account's first factor. */
  onBound: (recoveryCodes: string[]) => void;
  onCancel: () => void | Promise<void>;
  cancelText: string;
}

export function TotpForm({ onBound, onCancel, cancelText }: TotpFormProps) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [code, setCode] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const field = useRef<InputRef>(null);
  const id = useId();

  useEffect(() => {
    call(secondFactorContract.beginTotp).then(setBegun, (failure) => setError(messageOf(failure)));
  }, []);
  useEffect(() => {
    if (begun) field.current?.focus();
  }, [begun]);

  const bind = async (event: FormEvent) => {
    event.preventDefault();
    const tidy = tidyCode(code);
    if (!isTotpCode(tidy)) return setError("请输入 6 位数字的验证码");
    setIsBusy(true);
    setError(null);
    try {
      onBound(
        (await call(secondFactorContract.confirmTotp, { body: { code: tidy } })).recoveryCodes,
      );
    } catch (failure) {
      setError(messageOf(failure));
      setIsBusy(false);
    }
  };
  return (
    <form className="second-factor-totp" onSubmit={(event) => void bind(event)} noValidate>
      <ol>
        <li>在手机上安装验证器，如腾讯身份验证器、Microsoft Authenticator</li>
        <li>用验证器扫描二维码，或手工输入密钥</li>
        <li>输入验证器显示的 6 位验证码</li>
      </ol>
      <div className="second-factor-code">
        {/* In the dark theme, too: many apps do not read light on dark. */}
        <QRCode
          value={begun?.uri ?? "-"}
          status={begun ? "active" : "loading"}
          size={168}
          errorLevel="L"
          color="black"
          bgColor="white"
        />
        {begun && (
          <p>
            <code>{inGroups(begun.secret)}</code>
            <Button size="small" onClick={() => void copyWithToast(begun.secret, "密钥已复制")}>
              复制密钥
            </Button>
          </p>
        )}
      </div>
      <label htmlFor={id}>验证码</label>
      <Input
        id={id}
        ref={field}
        value={code}
        inputMode="numeric"
        autoComplete="one-time-code"
        disabled={!begun}
        onChange={(event) => setCode(event.target.value)}
      />
      {error && <Alert type="error" showIcon role="alert" title={error} />}
      <div className="proof-buttons">
        <Button disabled={isBusy} onClick={() => void onCancel()}>
          {cancelText}
        </Button>
        <Button type="primary" htmlType="submit" loading={isBusy} disabled={!begun}>
          绑定
        </Button>
      </div>
    </form>
  );
}
