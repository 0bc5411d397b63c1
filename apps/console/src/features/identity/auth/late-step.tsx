// Step after the sign-in, which loads late; a failure is told with the means of the sign-in page.
import type { ComponentType } from "react";
import { type Late, lateText, useLate } from "../../../kit/late.ts";
import "./sign-in.css";

export function LateStep({ part }: { part: Late<ComponentType<object>> }) {
  const { module: Step, failure, retry } = useLate(part);
  if (Step) return <Step />;
  if (!failure) return null;
  const { title, hint, remedy } = lateText[failure];
  return (
    <section className="auth-main" role="alert">
      <div className="auth-form">
        <h1 className="auth-title">{title}</h1>
        <p className="auth-lead">{hint}</p>
        <button type="button" className="auth-submit" onClick={() => void retry()}>
          {remedy}
        </button>
      </div>
    </section>
  );
}
