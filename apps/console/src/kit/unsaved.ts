// Which of a user's choices the server has not been told of yet; kept, so that a line that is down loses none.
import { currentSession, type Session } from "./session.ts";

/** Whose choices: also while looking at a tenant, they are those of the own account. */
export function ownKey(session: Session): string {
  const { tenantId, username } = session.visit?.own ?? session;
  return `${tenantId}:${username}`;
}

const listeners = new Set<() => void>();

function storageKey(): string | null {
  const session = currentSession();
  return session && `cupboard:unsaved:${ownKey(session)}`;
}

export function unsavedNames(): string[] {
  const key = storageKey();
  if (!key) return [];
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function keep(names: readonly string[]): void {
  const key = storageKey();
  if (!key) return;
  if (names.length > 0) localStorage.setItem(key, JSON.stringify(names));
  else localStorage.removeItem(key);
}

export function markUnsaved(...names: readonly string[]): void {
  keep([...new Set([...unsavedNames(), ...names])]);
  for (const listener of listeners) listener();
}

export function markSaved(names: readonly string[]): void {
  keep(unsavedNames().filter((name) => !names.includes(name)));
}

/** Calls back after each choice; returns how to stop. */
export function onUnsaved(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
