// Sessions of this browser by tenant: a person may have parcels in cabinets of several operators.
import type { ReplyOf } from "./calls.ts";
import { kept } from "./storage.ts";

export interface Session {
  token: string;
  /** Masked. */
  phone: string;
  /** Texts that the person had seen at the sign-in; sessions of before have none. */
  legal?: ReplyOf<"me">["legal"];
}

const sessions = kept<Record<number, Session>>("local", "sessions", {});

/** The tenant whose page is shown; null until a cabinet is known. */
const tenant = kept<number | null>("local", "tenant", null);

/** Code of that tenant in links; null in a browser that entered before there were codes. */
const tenantCode = kept<string | null>("local", "tenantCode", null);

export function enterTenant(entered: { tenantId: number; tenantCode: string }): void {
  if (tenant.get() !== entered.tenantId) tenant.set(entered.tenantId);
  if (tenantCode.get() !== entered.tenantCode) tenantCode.set(entered.tenantCode);
}

/** Code of the tenant as in a link, on older phones its number; null until a cabinet is known. */
export const lastTenant = (): string | null => tenantCode.get() ?? tenant.get()?.toString() ?? null;
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
  sessions.set({
    ...sessions.get(),
    [user.tenantId]: { token, phone: user.phone, legal: user.legal },
  });
}

/** Keeps the consents of the current session's person. */
export function setConsents(legal: ReplyOf<"me">["legal"]): void {
  const session = currentSession();
  if (session) sessions.set({ ...sessions.get(), [tenant.get() ?? 0]: { ...session, legal } });
}

/** Forgets the session unless a newer one took its place. */
export function endSession(token: string): void {
  const others = Object.entries(sessions.get()).filter(([, each]) => each.token !== token);
  sessions.set(Object.fromEntries(others));
}
