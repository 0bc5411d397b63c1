// Rules of a new password, ticked off while it is typed.
import { GUESSABLE_RULE, passwordChecks } from "@cabinet/contract/identity/auth/password.rules.ts";
import "./password-rules.css";

export function PasswordRules({ password, username }: { password: string; username: string }) {
  return (
    <ul className="ui-password-rules" aria-label="密码的要求">
      {passwordChecks(password, username).map(({ rule, isMet }) => (
        <li key={rule} data-met={password !== "" && isMet}>
          {rule}
          <span className="visually-hidden">
            {password !== "" && isMet ? "，已满足" : "，未满足"}
          </span>
        </li>
      ))}
      <li>
        {GUESSABLE_RULE}
        <span className="visually-hidden">，保存时检查</span>
      </li>
    </ul>
  );
}
