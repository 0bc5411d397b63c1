// Who is signed in: kept in localStorage, shared by all tabs of the browser (specification §3).
import type { SignedIn } from "@cabinet/contract/auth/auth.contract.ts";
import { create } from "zustand";

export type Session = SignedIn;

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

/** The session, or null when nobody is signed in. */
export function useSession(): Session | null {
  return sessionStore((state) => state.session);
}

/** The session on a page that only signed-in people see. */
export function useSignedIn(): Session {
  const session = useSession();
  if (!session) throw new Error("This screen needs a session");
  return session;
}
