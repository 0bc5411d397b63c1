// Sessions of this browser by tenant: a person may have parcels in cabinets of several operators.
import type { ReplyOf } from "./calls.ts";
import { kept } from "./storage.ts";

export interface Session {
  token: string;
  /** Masked. */
  phone: string;
}

const sessions = kept<Record<number, Session>>("local", "sessions", {});

/** The tenant whose page is shown; null until a cabinet is known. */
const tenant = kept<number | null>("local", "tenant", null);

export function enterTenant(tenantId: number): void {
  if (tenant.get() !== tenantId) tenant.set(tenantId);
}

export const lastTenant = (): number | null => tenant.get();
export const useTenant = (): number | null => tenant.use();

export function currentSession(): Session | null {
  return sessions.get()[tenant.get() ?? 0] ?? null;
}

/** The session at the tenant whose page is shown. */
export function useSession(): Session | null {
  const all = sessions.use();
  return all[tenant.use() ?? 0] ?? null;
}

export function beginSession({ token, user }: ReplyOf<"signIn">): void {
  sessions.set({ ...sessions.get(), [user.tenantId]: { token, phone: user.phone } });
}

/** Forgets the session unless a newer one took its place. */
export function endSession(token: string): void {
  const others = Object.entries(sessions.get()).filter(([, each]) => each.token !== token);
  sessions.set(Object.fromEntries(others));
}
