// Sign-in form: account, password, and a captcha that solves itself.
import { authContract, type SignedIn } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { call } from "../../../kit/api.ts";
import { codeOf } from "../../../kit/errors.ts";
import { messageOf } from "../../../kit/feedback.ts";
import { storePrefetched } from "../../../kit/prefetched.ts";
import { sessionStore } from "../../../kit/session.ts";
import { type Captcha, type CaptchaState, startCaptcha } from "./captcha.ts";
import { knownDevice, rememberDevice } from "./device-token.ts";
import { FormError, LeaveButton, PasswordField, SubmitButton, TextField } from "./fields.tsx";

const captchaText: Record<CaptchaState, string> = {
  solving: "正在进行人机验证…",
  passed: "人机验证已通过",
  failed: "人机验证未完成",
};

/** An account that strangers try to enter demands harder captchas, which may rise meanwhile. */
const HARDER_TRIES = 3;

async function askIn(
  captcha: Captcha,
  account: { username: string; password: string },
): Promise<SignedIn> {
  const device = knownDevice(account.username);
  const opensHome = !new URLSearchParams(location.search).has("redirect");
  const body = {
    ...account,
    ...(device && { deviceToken: device }),
    ...(opensHome && { homeDay: shanghaiDay(Date.now()) }),
  };
  for (let tries = 1; ; tries++) {
    try {
      const headers = { "captcha-verification": await captcha.take() };
      const signedIn = await call(authContract.login, { body }, { headers });
      const { deviceToken, prefetched, ...session } = signedIn;
      if (deviceToken) rememberDevice(account.username, deviceToken);
      if (prefetched) storePrefetched(session, prefetched);
      return session;
    } catch (failure) {
      if (codeOf(failure) !== "CAPTCHA_HARDER" || tries === HARDER_TRIES) throw failure;
      captcha.renew(account.username);
    }
  }
}

export interface SignInFormProps {
  /** The only account that may sign in; by default any. */
  username?: string | undefined;
  /** Called with the password, for a mandatory change that follows. */
  onSignedIn: (password: string) => void;
}

export function SignInForm({ username: only, onSignedIn }: SignInFormProps) {
  const [username, setUsername] = useState(only ?? "");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [captchaState, setCaptchaState] = useState<CaptchaState>("solving");
  const captcha = useRef<Captcha>(null);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const started = startCaptcha(setCaptchaState);
    captcha.current = started;
    return started.stop;
  }, []);

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy || !captcha.current) return;
    const missing = username.trim() ? (password ? null : "密码") : "账号";
    if (missing) {
      setError(`请输入${missing}`);
      const name = missing === "密码" ? "password" : "username";
      form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
      return;
    }
    setIsBusy(true);
    setError(null);
    try {
      const session = await askIn(captcha.current, { username: username.trim(), password });
      onSignedIn(password);
      sessionStore.setState({ session });
    } catch (failure) {
      setError(messageOf(failure));
      setIsBusy(false);
      captcha.current.renew();
    }
  }

  return (
    <form ref={form} className="auth-form" onSubmit={signIn} noValidate>
      <h1 className="auth-title">{only ? "登录已过期" : "登录"}</h1>
      <p className="auth-lead">
        {only ? "重新登录后继续，填写的内容还在" : "使用后台账号进入管理控制台"}
      </p>
      <TextField
        label="账号"
        name="username"
        value={username}
        onChange={setUsername}
        autoComplete="username"
        readOnly={only !== undefined}
        autoFocus={only === undefined}
      />
      <PasswordField
        label="密码"
        name="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus={only !== undefined}
      />
      <FormError text={error} />
      <SubmitButton isBusy={isBusy}>{isBusy ? "正在登录…" : "登录"}</SubmitButton>
      <p className="auth-captcha" data-state={captchaState}>
        <span className="auth-captcha-mark" aria-hidden="true" />
        <span role="status">{captchaText[captchaState]}</span>
        {captchaState === "failed" && (
          <button type="button" className="auth-link" onClick={() => captcha.current?.renew()}>
            重试
          </button>
        )}
        {only !== undefined && <LeaveButton />}
      </p>
    </form>
  );
}
