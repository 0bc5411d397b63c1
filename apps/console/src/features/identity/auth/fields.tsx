// Form fields of the pages before sign-in, without the component library.
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { leaveSession } from "../../../domain/proof/leave-session.ts";

interface FieldProps {
  label: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  autoComplete: string;
  autoFocus?: boolean;
  readOnly?: boolean;
}

export function TextField({ label, onChange, autoFocus = false, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="auth-field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        type="text"
        maxLength={64}
        spellCheck={false}
        autoCapitalize="none"
        ref={autoFocus ? focus : null}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

export function PasswordField({ label, onChange, autoFocus = false, ...input }: FieldProps) {
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  const [hasCapsLock, setHasCapsLock] = useState(false);
  const watchCapsLock = (event: KeyboardEvent) => {
    setHasCapsLock(event.getModifierState("CapsLock"));
  };
  return (
    <div className="auth-field">
      <label htmlFor={id}>{label}</label>
      <div className="auth-password">
        <input
          {...input}
          id={id}
          type={isShown ? "text" : "password"}
          maxLength={128}
          spellCheck={false}
          autoCapitalize="none"
          ref={autoFocus ? focus : null}
          aria-describedby={`${id}-caps`}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={watchCapsLock}
          onKeyUp={watchCapsLock}
          onBlur={() => setHasCapsLock(false)}
        />
        <button
          type="button"
          className="auth-reveal"
          aria-label={isShown ? `隐藏${label}` : `显示${label}`}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <title>{isShown ? "隐藏" : "显示"}</title>
            <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6Z" />
            {isShown && <path d="m4.5 4.5 15 15" />}
          </svg>
        </button>
      </div>
      <p className="auth-hint" id={`${id}-caps`} role="status">
        {hasCapsLock && "大写锁定已开启"}
      </p>
    </div>
  );
}

function focus(input: HTMLInputElement | null): void {
  input?.focus();
}

export function FormError({ text }: { text: string | null }) {
  return (
    <div className="auth-error" role="alert" data-shown={text !== null}>
      {text}
    </div>
  );
}

export function LeaveButton() {
  return (
    <button type="button" className="auth-link" onClick={() => void leaveSession()}>
      换个账号登录
    </button>
  );
}

export function SubmitButton({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  return (
    <button type="submit" className="auth-submit" aria-disabled={isBusy} data-busy={isBusy}>
      {children}
    </button>
  );
}
