// Page /login: sign-in and the mandatory password change. Kept small, because it loads first and
// alone.
import { SignInStep, type SignInStepProps } from "./sign-in-step.tsx";
import "./sign-in.css";

export function SignInPage({ setUp }: Pick<SignInStepProps, "setUp">) {
  return (
    <div className="auth">
      <section className="auth-brand" aria-label="智能存取系统">
        <p className="auth-name">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <title>智能存取系统</title>
            <path d="M7 5.5h18v21H7zM16 5.5v21M7 12.5h9M7 19.5h9M16 16h9" />
          </svg>
          智能存取系统
        </p>
        <Cabinet />
        <p className="auth-claim">每一次开门，都有据可查。</p>
      </section>
      <main className="auth-main">
        <SignInStep setUp={setUp} />
        <nav className="auth-docs" aria-label="文档">
          <a href="/doc/sre">运维文档</a>
          <a href="/doc/sdk">接入文档</a>
        </nav>
      </main>
    </div>
  );
}

/** Door sizes of a drawn cabinet by row, as shares of the row. */
const rows = [
  [1, 1, 2],
  [2, 1, 1],
  [1, 2, 1],
  [1, 1, 1, 1],
  [2, 2],
];
const OPEN_DOOR = { row: 1, door: 0 };

function Cabinet() {
  return (
    <div className="auth-cabinet" aria-hidden="true">
      {rows.map((doors, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a drawing never changes its order.
        <div key={row} className="auth-cabinet-row">
          {doors.map((share, door) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a drawing never changes its order.
              key={door}
              className="auth-door"
              data-share={share}
              data-open={row === OPEN_DOOR.row && door === OPEN_DOOR.door}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
