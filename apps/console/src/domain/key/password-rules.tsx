// Rules of a new password, ticked off while it is typed.
import { passwordChecks } from "@cabinet/contract/identity/auth/password.rules.ts";
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
    </ul>
  );
}
