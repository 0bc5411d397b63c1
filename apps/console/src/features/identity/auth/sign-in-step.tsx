// The step that a session needs before pages open: sign-in, second factor or a new password.
import { type ReactNode, useState } from "react";
import { sessionStore } from "../../../kit/session.ts";
import { ChangePasswordForm } from "./change-password-form.tsx";
import { SecondStepForm } from "./second-step-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export interface SignInStepProps {
  /** Sets up the second factor that a role demands. */
  setUp: ReactNode;
  /** The only account that may sign in; by default any. */
  username?: string | undefined;
}

export function SignInStep({ setUp, username }: SignInStepProps) {
  const { session: kept, endedToken } = sessionStore();
  const session = kept?.token === endedToken ? null : kept;
  const [typedPassword, setTypedPassword] = useState("");
  if (session?.secondStep === "DUE") return <SecondStepForm session={session} />;
  if (session?.mustChangePassword) {
    return <ChangePasswordForm session={session} typedPassword={typedPassword} />;
  }
  if (session?.secondStep === "MISSING") return setUp;
  return <SignInForm onSignedIn={setTypedPassword} username={username} />;
}
