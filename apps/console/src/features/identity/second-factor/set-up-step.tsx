// Set-up of the second factor that is demanded of the account, right after the sign-in.
import { useState } from "react";
import { leaveSession } from "../../../domain/proof/leave-session.ts";
import { endSecondStep } from "../../../kit/session.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { TotpForm } from "./totp-form.tsx";

export function SetUpStep() {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <section className="auth-form">
      <h1 className="auth-title">设置两步验证</h1>
      <p className="auth-lead">
        此账号能改账号、密钥、价格或动用资金，或者它的角色要求：登录除密码外，还要输入手机验证器里的验证码。暂时不能设置时，请平台管理员给几天例外
      </p>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => endSecondStep(null)} />
      ) : (
        <TotpForm onBound={setCodes} onCancel={leaveSession} cancelText="换个账号登录" />
      )}
    </section>
  );
}
