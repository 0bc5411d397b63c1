// Preferences that are not saved on the server yet; persisted, so that an offline period loses
// none.
import { currentSession, type Session } from "./session.ts";

/** Owner of the preferences: always the user's account, also during an impersonation. */
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

/** Calls back after each change; returns the unsubscribe function. */
export function onUnsaved(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
