// Who is signed in: kept in localStorage, shared by all tabs of the browser (specification §3).
import type { SignedIn } from "@cabinet/contract/auth/auth.contract.ts";
import type { Visit } from "@cabinet/contract/visit/visit.contract.ts";
import { create } from "zustand";

/** A tenant that platform staff look at, and the session that they go back to. */
export interface VisitState {
  tenantName: string;
  /** By the clock of this browser. */
  endsAt: number;
  /** Where they came from. */
  from: string;
  own: SignedIn;
}

export interface Session extends SignedIn {
  visit?: VisitState;
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

export const sessionStore = create<{ session: Session | null }>(() => ({ session: read() }));

sessionStore.subscribe(({ session }, before) => {
  if (session === before.session) return;
  if (session) localStorage.setItem(KEY, JSON.stringify(session));
  else localStorage.removeItem(KEY);
});

window.addEventListener("storage", (event) => {
  if (event.key === KEY || event.key === null) sessionStore.setState({ session: read() });
});

export function currentSession(): Session | null {
  return sessionStore.getState().session;
}

/** Names the account, and in a visit the tenant that it looks at: state of one owner is not for another. */
export function ownerOf(session: Session | null): string | null {
  return session && `${session.tenantId}:${session.username}`;
}

/** The session, or null when nobody is signed in. */
export function useSession(): Session | null {
  return sessionStore((state) => state.session);
}

/** Set while platform staff look at a tenant: whatever changes anything is refused, and not offered. */
export function useVisit(): VisitState | null {
  return sessionStore((state) => state.session?.visit ?? null);
}

export function useIsVisit(): boolean {
  return useVisit() !== null;
}

/** From now on this browser sees what the tenant's administrator sees. */
export function enterVisit({ token, tenantId, tenantName, seconds }: Visit, from: string): void {
  const { session } = sessionStore.getState();
  if (!session) return;
  const { visit, ...here } = session;
  const own = visit?.own ?? here;
  const endsAt = Date.now() + seconds * 1000;
  const state = { tenantName, endsAt, from: visit?.from ?? from, own };
  sessionStore.setState({ session: { ...own, token, tenantId, visit: state } });
}

/** Back to the own session, whether or not the server was told. */
export function leaveVisit(): void {
  const { session } = sessionStore.getState();
  if (session?.visit) sessionStore.setState({ session: session.visit.own });
}

/** The session on a page that only signed-in people see. */
export function useSignedIn(): Session {
  const session = useSession();
  if (!session) throw new Error("This screen needs a session");
  return session;
}
