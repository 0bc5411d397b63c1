// Session of the signed-in account: kept in localStorage, shared by all tabs (specification §3).
import type { SignedIn } from "@cabinet/contract/identity/auth/auth.contract.ts";
import type { Visit } from "@cabinet/contract/identity/impersonation/impersonation.contract.ts";
import { create } from "zustand";
import { hasUnsavedInput } from "./leaving.ts";

/** Impersonated tenant, and the session to return to. */
export interface ImpersonationState {
  tenantName: string;
  /** By this browser's clock, in milliseconds. */
  endsAt: number;
  /** Path to return to. */
  from: string;
  own: SignedIn;
}

export interface Session extends SignedIn {
  visit?: ImpersonationState;
}

const KEY = "cupboard:auth";

function read(): Session | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return isSession(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isSession(kept: unknown): kept is Session {
  if (typeof kept !== "object" || kept === null) return false;
  const { token, username, userType, tenantId } = kept as Record<string, unknown>;
  return (
    typeof token === "string" &&
    token !== "" &&
    typeof username === "string" &&
    typeof userType === "number" &&
    typeof tenantId === "number"
  );
}

/** Written when the user signs out: other tabs then keep nothing, either. */
const SIGN_OUT_KEY = "cupboard:sign-out";

interface SessionState {
  session: Session | null;
  /** Token of a session that has ended while a form had unsaved input: its page stays, below the sign-in. */
  endedToken: string | null;
}

export const sessionStore = create<SessionState>(() => ({ session: read(), endedToken: null }));

sessionStore.subscribe(({ session, endedToken }) => {
  if (session && session.token !== endedToken) localStorage.setItem(KEY, JSON.stringify(session));
  else localStorage.removeItem(KEY);
  const isStepDue = session?.mustChangePassword || session?.secondStep;
  if (endedToken !== null && session?.token !== endedToken && !isStepDue) {
    sessionStore.setState({ endedToken: null });
  }
});

/** The server has ended the session, or another tab has learned so. */
export function endSession(): void {
  const { session, endedToken } = sessionStore.getState();
  if (endedToken !== null) return;
  if (session && hasUnsavedInput()) sessionStore.setState({ endedToken: session.token });
  else sessionStore.setState({ session: null });
}

/** The user signs out, or gives up the page of an ended session. */
export function dropSession(): void {
  localStorage.setItem(SIGN_OUT_KEY, String(Date.now()));
  sessionStore.setState({ session: null, endedToken: null });
}

window.addEventListener("storage", ({ key, newValue }) => {
  if (key === null || key === SIGN_OUT_KEY) {
    sessionStore.setState({ session: null, endedToken: null });
  } else if (key === KEY && newValue === null) endSession();
  else if (key === KEY) sessionStore.setState({ session: read() });
});

export function currentSession(): Session | null {
  return sessionStore.getState().session;
}

/** Token that requests carry; null while nobody is signed in. */
export function currentToken(): string | null {
  const { session, endedToken } = sessionStore.getState();
  return session && session.token !== endedToken ? session.token : null;
}

/**
 * Key of the account and, in an impersonation, of the tenant: state of one owner must not leak to
 * another.
 */
export function ownerOf(session: Session | null): string | null {
  return session && `${session.tenantId}:${session.username}`;
}

/** True while the page of an ended session stays, below the sign-in. */
export const isCovered = (): boolean => sessionStore.getState().endedToken !== null;

/** Resolves when the page is not covered any more: by a sign-in, or because it was given up. */
export function whenUncovered(): Promise<void> {
  return new Promise((resolve) => {
    const stop = sessionStore.subscribe(() => {
      if (isCovered()) return;
      stop();
      resolve();
    });
  });
}

/** Session, or null if nobody is signed in. */
export function useSession(): Session | null {
  return sessionStore((state) => state.session);
}

/** Set during an impersonation: the server refuses every change, so the console offers none. */
export function useImpersonation(): ImpersonationState | null {
  return sessionStore((state) => state.session?.visit ?? null);
}

export function useIsImpersonating(): boolean {
  return useImpersonation() !== null;
}

/** Starts an impersonation: this browser then sees what the tenant's administrator sees. */
export function enterImpersonation(
  { token, tenantId, tenantName, seconds }: Visit,
  from: string,
): void {
  const { session } = sessionStore.getState();
  if (!session) return;
  const { visit, ...here } = session;
  const own = visit?.own ?? here;
  const endsAt = Date.now() + seconds * 1000;
  const state = { tenantName, endsAt, from: visit?.from ?? from, own };
  sessionStore.setState({ session: { ...own, token, tenantId, visit: state } });
}

/** Returns to the user's own session, whether or not the server was notified. */
export function leaveImpersonation(): void {
  const { session } = sessionStore.getState();
  if (session?.visit) sessionStore.setState({ session: session.visit.own });
}

/** The second step is done: pages open, with the token that replaces the first one. */
export function endSecondStep(token: string | null): void {
  const { session } = sessionStore.getState();
  if (!session) return;
  const { secondStep: _, ...rest } = session;
  sessionStore.setState({ session: { ...rest, ...(token && { token }) } });
}

/** Session on a page that requires sign-in. */
export function useSignedIn(): Session {
  const session = useSession();
  if (!session) throw new Error("This screen needs a session");
  return session;
}
