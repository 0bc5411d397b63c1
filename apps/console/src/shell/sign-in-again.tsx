// Sign-in laid over the page of an ended session with unsaved input.
import { useLayoutEffect, useRef } from "react";
import { LateStep } from "../features/identity/auth/late-step.tsx";
import { SignInStep } from "../features/identity/auth/sign-in-step.tsx";
import { sessionStore } from "../kit/session.ts";
import { setUpStep } from "./set-up-step.ts";
import "./sign-in-again.css";

export function SignInAgain() {
  const { session, endedToken } = sessionStore();
  return endedToken !== null && session && <Cover username={session.username} />;
}

function Cover({ username }: { username: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The dialog takes the focus to its first field, which has the name already.
    element?.querySelector<HTMLElement>("[name=password]")?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="sign-in-again"
      aria-label="重新登录"
      closedby="none"
      onCancel={(event) => event.preventDefault()}
    >
      <SignInStep username={username} setUp={<LateStep part={setUpStep} />} />
    </dialog>
  );
}
